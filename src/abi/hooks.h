/*
 * The contract between instrumented code and the runtime: what `omen cc` emits, libomen.so answers.
 *
 * src/cc/inline/ defines the always_inline helpers (omen_inline_*) that the pass calls; they test the hot
 * page and leave for a slow hook of the runtime only when there is something to do.  The hot page lives at a
 * fixed address below 2 GiB, so a test is one instruction with an absolute operand: no GOT, no register.
 */
#ifndef OMEN_HOOKS_H
#define OMEN_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#define OMEN_VERSION "0.1"

/*
 * What code is built for: the number changes with this file.  Every instrumented object carries it in an ELF note
 * (section .note.omen, name "Omen", this type), so that a program for other hooks is refused and not run.
 */
#define OMEN_HOOKS     OMEN_VERSION "+14"
#define OMEN_NOTE_TYPE 1

/* What an instrumented operation is. One row a kind: identifier, name in reports. */
#define OMEN_SITE_KINDS(X)                                                                                             \
	X(LOAD, "read")                                                                                                \
	X(STORE, "write")                                                                                              \
	X(ATOMIC_LOAD, "atomic read")                                                                                  \
	X(ATOMIC_STORE, "atomic write")                                                                                \
	X(ATOMIC_RMW, "atomic update")                                                                                 \
	X(ATOMIC_CAS, "compare-exchange")                                                                              \
	X(FENCE, "fence")                                                                                              \
	X(MEMCPY, "memcpy")                                                                                            \
	X(MEMMOVE, "memmove")                                                                                          \
	X(MEMSET, "memset")                                                                                            \
	X(BRANCH, "branch")                                                                                            \
	X(LOOP, "loop")                                                                                                \
	X(FUNCTION, "function")                                                                                        \
	X(CALL, "library call")

enum omen_site_kind {
#define X(id, name) OMEN_SITE_##id,
	OMEN_SITE_KINDS(X)
#undef X
};

/* Flags of a site. */
#define OMEN_SITE_VOLATILE  1  /* the access is volatile */
#define OMEN_SITE_FIXED     2  /* its address does not depend on anything that was read */
#define OMEN_SITE_CONFINED  4  /* a load: what it reads goes into plain stores only, those that omen_flows lists */
#define OMEN_SITE_FED       8  /* a store: what it writes may come from a confined load */
#define OMEN_SITE_SETS_BITS 16 /* a store of what was read there, with some bits set, cleared or turned */
#define OMEN_SITE_ADDS      32 /* a store of what was read there and something added */
#define OMEN_SITE_PARTLY    64 /* a load: not all bits of the value are looked at, the row before has those that are */

/*
 * A place in the source. Sites stand in the read-only section omen_sites of the module that uses them;
 * strings are referred to relative to the field itself, so the table needs no dynamic relocation and can be
 * read straight from the file.
 */
struct omen_site {
	int32_t file;     /* address of the name (NUL-terminated) minus the address of this field */
	int32_t function; /* the same for the function's name as written in the source */
	uint32_t line;    /* 0: unknown */
	uint16_t column;
	uint8_t kind;  /* enum omen_site_kind */
	uint8_t flags; /* OMEN_SITE_* */
};

#define OMEN_SITES_SECTION "omen_sites"

/* What a confined load reads may be written by this store: both are sites, each as its address minus the field's. */
struct omen_flow {
	int32_t load, store;
};

#define OMEN_FLOWS_SECTION "omen_flows"

static inline const char *omen_site_file(const struct omen_site *s) { return (const char *)&s->file + s->file; }
/* LOAD: the bits of the value that the program looks at; all of them where that is not known. */
static inline uint64_t omen_site_bits(const struct omen_site *s)
{
	return s->flags & OMEN_SITE_PARTLY ? (uint32_t)s[-1].file | (uint64_t)(uint32_t)s[-1].function << 32
	                                   : ~(uint64_t)0;
}
static inline const char *omen_site_function(const struct omen_site *s)
{
	return (const char *)&s->function + s->function;
}

/* The state that instrumented code tests and writes inline; it always belongs to the running fiber. */
#define OMEN_FRAMES 16384 /* depth of the shadow call stack; deeper frames overwrite the oldest */

/* What plain accesses do. */
#define OMEN_WATCH_CELLS 1 /* call their slow hook if their cell does not say that nothing is new */
#define OMEN_WATCH_ALL   2 /* call it */
#define OMEN_WATCH_SPARSE  3 /* as with cells; also who leaves the variable that it is to access */
#define OMEN_WATCH_MOST  4 /* call it, but for those of which another one of the same block tells */

struct omen_hot {
	uint32_t watch; /* OMEN_WATCH_*, 0: nothing */
	uint32_t stamp; /* the running segment, all bytes: what a cell holds that needs no slow hook; OMEN_UNWATCHED */
	int32_t budget; /* loop back-edges left before the fiber may be preempted */
	uint32_t depth; /* frames on the shadow call stack */
	const struct omen_site **frames; /* OMEN_FRAMES of them: the FUNCTION sites entered and not left */
	uint8_t branched;                /* set to 1 by every conditional branch */
	uint8_t let_out; /* set to 1 where code begins that is not instrumented: it may look at any memory */
};

/* No text, no round number, no time of these years, no usual poison: what a wild pointer is not likely to be. */
#define OMEN_HOT_ADDRESS 0x7e2c1000ul
#define omen_hot         ((struct omen_hot *)OMEN_HOT_ADDRESS)

/*
 * Every 8 bytes of memory have a cell: who wrote them last and who read them last, as {segment: 24, bytes: 8} each, and
 * of each another one (docs/design.md, "Detection").  The three places where programs have their memory (below 512 GB,
 * the program and its heap, libraries and stacks) have three of cells; one expression finds them all.
 */
struct omen_cell {
	uint32_t write, read; /* the first are those that instrumented code looks at */
	uint32_t other_write, other_read;
};

#define OMEN_CELL_BYTES  0xffu       /* of a half: which of the 8 bytes */
#define OMEN_CELL_MERGED 0x100u      /* and: some of them were only accessed by earlier segments of the running kind */
#define OMEN_CELL_OWNER  0xffff0000u /* the same in all halves of a fiber for a while (clock.h, granules) */
#define OMEN_NO_STAMP    0xffffffffu /* in no cell, and nobody's */
#define OMEN_UNWATCHED   1u          /* no stamp: nothing is watched, no access needs its slow hook */
#define OMEN_CELLS       0x103100000000ul
#define OMEN_CELL_BITS   0x1ffffffffff8ul

/* Where nothing can be, and hardly anybody looks who has a null pointer, so that no cell is needed there: for each size
 * (1, 2, 4, 8) and each place in 8 bytes a mask for halves, the segment and the bytes that such an access has. */
#define OMEN_MASKS 0x1ff00

#define OMEN_PLACED 0x80000000u /* and the place in 8 bytes, where it is known: to the helpers of accesses */

static inline struct omen_cell *omen_cell(uint64_t address)
{
	return (struct omen_cell *)(OMEN_CELLS + (address & OMEN_CELL_BITS) * 2);
}

/*
 * Slow hooks, called from the inline helpers. They keep all general registers (preserve_most), so the fast path
 * around them pays nothing for the call that does not happen.
 */
#ifdef __clang__
#define OMEN_SLOW __attribute__((preserve_most))
#else
#define OMEN_SLOW
#endif

/* A load has read `value` at `addr`: returns the value the program is to see. */
OMEN_SLOW uint8_t omen_slow_load1(const void *addr, uint8_t value, const struct omen_site *site);
OMEN_SLOW uint16_t omen_slow_load2(const void *addr, uint16_t value, const struct omen_site *site);
OMEN_SLOW uint32_t omen_slow_load4(const void *addr, uint32_t value, const struct omen_site *site);
OMEN_SLOW uint64_t omen_slow_load8(const void *addr, uint64_t value, const struct omen_site *site);
/* The same for any other size: `value` points to a copy that may be changed. */
OMEN_SLOW void omen_slow_loadn(const void *addr, void *value, size_t size, const struct omen_site *site);
/* A store of `size` bytes to `addr` is about to happen. */
OMEN_SLOW void omen_slow_store(void *addr, size_t size, const struct omen_site *site);
/* A memory intrinsic is about to happen: the program's code does it after the hook returns. */
OMEN_SLOW void omen_slow_copy(void *to, const void *from, size_t size, const struct omen_site *site);
OMEN_SLOW void omen_slow_set(void *to, size_t size, const struct omen_site *site);
/* The same, but the runtime may do it: then it returns 1, and the program's code does not. */
OMEN_SLOW int omen_slow_memmove(void *to, const void *from, size_t size, const struct omen_site *site);
OMEN_SLOW int omen_slow_memset(void *to, int value, size_t size, const struct omen_site *site);
/*
 * An access (OMEN_OBJECT_WRITE) to a variable of `extent` bytes (OMEN_OBJECT_GLOBAL: a global one, otherwise one on the
 * stack), `offset` bytes from its beginning on.  Only where that is outside, with OMEN_WATCH_ALL
 * and above, and after the access's own hook.  No
 * pointer to the variable is handed over: that would keep the optimiser from taking it apart.
 */
#define OMEN_OBJECT_WRITE  1
#define OMEN_OBJECT_GLOBAL 2
OMEN_SLOW void omen_slow_object(int64_t offset, size_t size, size_t extent, uint32_t what);
/* omen_hot->budget has dropped below zero at a loop's back-edge. */
OMEN_SLOW void omen_slow_loop(const struct omen_site *site);

/*
 * Atomics are visible operations: always a call, the runtime does the operation itself. Sizes 1, 2, 4, 8, 16.
 * `order` is C11's memory_order (0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst); LLVM's
 * unordered is passed as relaxed.
 */
enum omen_rmw {
	OMEN_RMW_XCHG,
	OMEN_RMW_ADD,
	OMEN_RMW_SUB,
	OMEN_RMW_AND,
	OMEN_RMW_NAND,
	OMEN_RMW_OR,
	OMEN_RMW_XOR,
	OMEN_RMW_MAX,
	OMEN_RMW_MIN,
	OMEN_RMW_UMAX,
	OMEN_RMW_UMIN,
	OMEN_RMW_FADD, /* float for size 4, double for size 8 (the bits travel as an integer); others are not emitted */
	OMEN_RMW_FSUB,
	OMEN_RMW_FMAX,
	OMEN_RMW_FMIN,
	OMEN_RMW_UINC_WRAP,
	OMEN_RMW_UDEC_WRAP,
};

#define OMEN_CAS_WEAK 1 /* flag: the compare-exchange may fail spuriously */

#define OMEN_ATOMIC_HOOKS(N, T)                                                                                        \
	T omen_atomic_load##N(const T *addr, int order, const struct omen_site *site);                                 \
	void omen_atomic_store##N(T *addr, T value, int order, const struct omen_site *site);                          \
	T omen_atomic_rmw##N(T *addr, T value, int op, int order, const struct omen_site *site);                       \
	/* returns whether it succeeded; *expected receives the value seen, always */                                  \
	_Bool omen_atomic_cas##N(T *addr, T *expected, T desired, int success, int failure, int flags,                 \
	                         const struct omen_site *site);
OMEN_ATOMIC_HOOKS(1, uint8_t)
OMEN_ATOMIC_HOOKS(2, uint16_t)
OMEN_ATOMIC_HOOKS(4, uint32_t)
OMEN_ATOMIC_HOOKS(8, uint64_t)
OMEN_ATOMIC_HOOKS(16, unsigned __int128)

/* `single_thread`: a signal fence, ordering the thread with its own handlers only. */
void omen_fence(int order, int single_thread, const struct omen_site *site);

/* Around inline assembly that accesses `size` bytes. `before` returns what stands there, if it is no more than 8. */
#define OMEN_ASM_READS    1
#define OMEN_ASM_WRITES   2
#define OMEN_ASM_ATOMIC   4 /* with `after`: an acquire load, a release store, or a read-modify-write */
#define OMEN_ASM_COMPARES 8 /* a read-modify-write that may leave what stands there */
uint64_t omen_assembly_before(void *addr, size_t size, uint32_t what, const struct omen_site *site);
void omen_assembly_after(void *addr, size_t size, uint32_t what, uint64_t old, const struct omen_site *site);
void omen_assembly_unseen(void); /* it may synchronise, nobody knows with whom */

/* Before (0) and after (1) a call of dlopen() or dlclose(), and what these call; and by what dl_iterate_phdr() is. */
void omen_loader(int leaves);
struct dl_phdr_info;
int omen_dl_iterate_phdr(int (*call)(struct dl_phdr_info *, size_t, void *), void *data);

/* Before a call of a buffered stream: one with a row in abi/library_calls.h, whose hooks follow, or any other. */
void omen_stream(int has_row, const struct omen_site *site);

/* The streams that several threads may use at once, first those that are only written to, by the names that C++ gives
 * them: cout, cerr, clog, wcout, wcerr, wclog, cin, wcin. */
#define OMEN_STREAMS 8
#define OMEN_STANDARD_STREAMS                                                                                          \
	"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog", "_ZSt3cin", "_ZSt4wcin"

/* Accesses of the members of streams; they count unless they are to one of these. */
void omen_stream_load(const void *addr, void *value, size_t size, const struct omen_site *site,
                      void *const streams[OMEN_STREAMS]);
void omen_stream_store(void *addr, size_t size, const struct omen_site *site, void *const streams[OMEN_STREAMS]);
void omen_streams_synchronise(int yes); /* with stdio: the call of sync_with_stdio() follows */

#endif
