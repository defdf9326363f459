/*
 * The contract between instrumented code and the runtime: `omen cc` emits calls of the functions declared here, and
 * libomen.so defines them.  In: addresses, values and sites of the program's operations.  Out: the value that the
 * program sees.  Only instrumented code calls the hooks; the pass and the runtime both include this file.
 *
 * src/cc/inline/ defines the always_inline helpers (omen_inline_*) that the pass calls.  They test the hot page and
 * call a slow hook of the runtime only when there is something to do.  The hot page has a fixed address below 2 GiB, so
 * a test is one instruction with an absolute operand: no GOT, no register.
 */
#ifndef OMEN_HOOKS_H
#define OMEN_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#define OMEN_VERSION "0.1"

/*
 * The version of the hooks: the number changes whenever this contract changes.  Every instrumented object carries it in
 * an ELF note (section .note.omen, name "Omen", this type).  A program that was built for another version is refused.
 */
#define OMEN_HOOKS     OMEN_VERSION "+14"
#define OMEN_NOTE_TYPE 1

/* The kinds of instrumented operations. One row for each: identifier, name in reports. */
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
#define OMEN_SITE_FIXED     2  /* the address does not depend on any value that the program read */
#define OMEN_SITE_CONFINED  4  /* a load: its value flows only into plain stores, and omen_flows lists them */
#define OMEN_SITE_FED       8  /* a store: its value may come from a confined load */
#define OMEN_SITE_SETS_BITS 16 /* a store of the value read there with some bits set, cleared or flipped */
#define OMEN_SITE_ADDS      32 /* a store of the value read there plus something */
#define OMEN_SITE_PARTLY    64 /* a load: the program looks at some bits of the value only; the row before says which */

/*
 * A place in the source.  Sites stand in the read-only section omen_sites of the module that uses them.  References to
 * strings are relative to the field itself, so the table needs no dynamic relocation and can be read straight from the
 * file.
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

/* The value of this confined load may be written by this store: both are sites, each as its address minus the
 * address of the field. */
struct omen_flow {
	int32_t load, store;
};

#define OMEN_FLOWS_SECTION "omen_flows"

static inline const char *omen_site_file(const struct omen_site *s) { return (const char *)&s->file + s->file; }
/* Of a LOAD: the bits of the value that the program looks at; all bits where that is unknown. */
static inline uint64_t omen_site_bits(const struct omen_site *s)
{
	return s->flags & OMEN_SITE_PARTLY ? (uint32_t)s[-1].file | (uint64_t)(uint32_t)s[-1].function << 32
	                                   : ~(uint64_t)0;
}
static inline const char *omen_site_function(const struct omen_site *s)
{
	return (const char *)&s->function + s->function;
}

#define OMEN_FRAMES 16384 /* depth of the shadow call stack; deeper frames overwrite the oldest */

/* When a plain access calls its slow hook. */
#define OMEN_WATCH_CELLS  1 /* unless its cell says that the access is not new */
#define OMEN_WATCH_ALL    2 /* always */
#define OMEN_WATCH_SPARSE 3 /* as CELLS; and when it leaves the variable that it is to access */
#define OMEN_WATCH_MOST   4 /* always, unless another access of the same basic block reports this one, too */

/* The hot page: state of the running fiber that instrumented code tests and writes inline. */
struct omen_hot {
	uint32_t watch; /* OMEN_WATCH_*, 0: never */
	uint32_t stamp; /* the running segment with all bytes: a half with this needs no slow hook; or OMEN_UNWATCHED */
	int32_t budget; /* how many loop back-edges are left before the fiber may be preempted */
	uint32_t depth; /* frames on the shadow call stack */
	const struct omen_site **frames; /* the shadow call stack: FUNCTION sites, OMEN_FRAMES entries */
	uint8_t branched;                /* every conditional branch sets it to 1 */
	uint8_t let_out;                 /* set to 1 before code that is not instrumented: it may look at any memory */
};

/* A wild pointer is unlikely to have this value: it is no text, no round number, no present time, no usual poison. */
#define OMEN_HOT_ADDRESS 0x7e2c1000ul
#define omen_hot         ((struct omen_hot *)OMEN_HOT_ADDRESS)

/*
 * Every 8 bytes of memory have a cell (docs/design.md, "Detection").  It holds four halves {segment: 24, bytes: 8}: the
 * last write, the last read, and one other write and read.  Programs have their memory in three regions (below 512 GB;
 * the program and its heap; libraries and stacks).  Each region has a region of cells, and one expression finds the
 * cell in all three.
 */
struct omen_cell {
	uint32_t write, read; /* instrumented code looks at these two only */
	uint32_t other_write, other_read;
};

#define OMEN_CELL_BYTES  0xffu       /* of a half: which of the 8 bytes were accessed */
#define OMEN_CELL_MERGED 0x100u      /* some of these bytes only earlier segments of the same owner accessed */
#define OMEN_CELL_OWNER  0xffff0000u /* the same in all halves of a fiber for a while (clock.h: granules) */
#define OMEN_NO_STAMP    0xffffffffu /* never in a cell, and no fiber's */
#define OMEN_UNWATCHED   1u          /* no stamp: nothing is watched, so no access needs its slow hook */
#define OMEN_CELLS       0x103100000000ul
#define OMEN_CELL_BITS   0x1ffffffffff8ul

/*
 * A table in a part of the cells that no memory of a program uses; accesses through a null pointer hardly ever get
 * there. For each size (1, 2, 4, 8) and each offset within 8 bytes it has a mask for halves: the segment and the bytes
 * of such an access.
 */
#define OMEN_MASKS 0x1ff00

#define OMEN_PLACED 0x80000000u /* passed to the access helpers: the offset within 8 bytes is known, and follows */

static inline struct omen_cell *omen_cell(uint64_t address)
{
	return (struct omen_cell *)(OMEN_CELLS + (address & OMEN_CELL_BITS) * 2);
}

/*
 * Slow hooks, called by the inline helpers.  They keep all general registers (preserve_most), so the fast path pays
 * nothing for a call that does not happen.
 */
#ifdef __clang__
#define OMEN_SLOW __attribute__((preserve_most))
#else
#define OMEN_SLOW
#endif

/* A load has read `value` at `addr`.  Returns the value that the program sees. */
OMEN_SLOW uint8_t omen_slow_load1(const void *addr, uint8_t value, const struct omen_site *site);
OMEN_SLOW uint16_t omen_slow_load2(const void *addr, uint16_t value, const struct omen_site *site);
OMEN_SLOW uint32_t omen_slow_load4(const void *addr, uint32_t value, const struct omen_site *site);
OMEN_SLOW uint64_t omen_slow_load8(const void *addr, uint64_t value, const struct omen_site *site);
/* The same for any other size; `value` points to a copy that the hook may change. */
OMEN_SLOW void omen_slow_loadn(const void *addr, void *value, size_t size, const struct omen_site *site);
/* A store of `size` bytes to `addr` is about to happen. */
OMEN_SLOW void omen_slow_store(void *addr, size_t size, const struct omen_site *site);
/* A memory intrinsic is about to happen; the program's code does it after the hook returns. */
OMEN_SLOW void omen_slow_copy(void *to, const void *from, size_t size, const struct omen_site *site);
OMEN_SLOW void omen_slow_set(void *to, size_t size, const struct omen_site *site);
/* The same, but the runtime may do it itself: then it returns 1, and the program's code does not do it. */
OMEN_SLOW int omen_slow_memmove(void *to, const void *from, size_t size, const struct omen_site *site);
OMEN_SLOW int omen_slow_memset(void *to, int value, size_t size, const struct omen_site *site);
/*
 * An access outside its variable.  It begins `offset` bytes from the beginning of a variable of `extent` bytes. `what`:
 * OMEN_OBJECT_WRITE for a write; OMEN_OBJECT_GLOBAL for a global variable, otherwise it is on the stack.  Called after
 * the access's own hook, with OMEN_WATCH_ALL and above.  The hook gets no pointer to the variable, because that would
 * keep the optimiser from splitting the variable.
 */
#define OMEN_OBJECT_WRITE  1
#define OMEN_OBJECT_GLOBAL 2
OMEN_SLOW void omen_slow_object(int64_t offset, size_t size, size_t extent, uint32_t what);
/* omen_hot->budget has dropped below zero at a loop back-edge. */
OMEN_SLOW void omen_slow_loop(const struct omen_site *site);

/*
 * Atomics are visible operations.  They are always a call, and the runtime does the operation itself.  Sizes 1, 2, 4,
 * 8,
 * 16.  `order` is C11's memory_order (0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst); LLVM's
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
	OMEN_RMW_FADD, /* float for size 4, double for size 8 (passed as an integer); no other sizes */
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
	/* returns whether it succeeded; *expected always receives the value seen */                                   \
	_Bool omen_atomic_cas##N(T *addr, T *expected, T desired, int success, int failure, int flags,                 \
	                         const struct omen_site *site);
OMEN_ATOMIC_HOOKS(1, uint8_t)
OMEN_ATOMIC_HOOKS(2, uint16_t)
OMEN_ATOMIC_HOOKS(4, uint32_t)
OMEN_ATOMIC_HOOKS(8, uint64_t)
OMEN_ATOMIC_HOOKS(16, unsigned __int128)

/* `single_thread`: a signal fence, which orders the thread only with its own signal handlers. */
void omen_fence(int order, int single_thread, const struct omen_site *site);

/* Before and after inline assembly that accesses `size` bytes.  omen_assembly_before() returns the bytes that stand
 * there, if there are at most 8; omen_assembly_after() gets them as `old`. */
#define OMEN_ASM_READS    1
#define OMEN_ASM_WRITES   2
#define OMEN_ASM_ATOMIC   4 /* an acquire load, a release store, or a read-modify-write */
#define OMEN_ASM_COMPARES 8 /* a read-modify-write that may leave the old value there */
uint64_t omen_assembly_before(void *addr, size_t size, uint32_t what, const struct omen_site *site);
void omen_assembly_after(void *addr, size_t size, uint32_t what, uint64_t old, const struct omen_site *site);
void omen_assembly_unseen(void); /* inline assembly that may synchronise, with which threads is unknown */

/* Before (0) and after (1) a call of dlopen() or dlclose(), each constructor and destructor that these call, and each
 * callback of dl_iterate_phdr(). */
void omen_loader(int leaves);
/* Called in place of dl_iterate_phdr(). */
struct dl_phdr_info;
int omen_dl_iterate_phdr(int (*call)(struct dl_phdr_info *, size_t, void *), void *data);

/* Before a call that uses a buffered stream.  `has_row`: the function has a row in abi/library_calls.h, so its hooks
 * follow. */
void omen_stream(int has_row, const struct omen_site *site);

/* The C++ streams that several threads may use at once: cout, cerr, clog, wcout, wcerr, wclog, cin, wcin.  Those that
 * are only written to come first. */
#define OMEN_STREAMS 8
#define OMEN_STANDARD_STREAMS                                                                                          \
	"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog", "_ZSt3cin", "_ZSt4wcin"

/* Accesses to members of streams.  They count as accesses unless the stream is one of these. */
void omen_stream_load(const void *addr, void *value, size_t size, const struct omen_site *site,
                      void *const streams[OMEN_STREAMS]);
void omen_stream_store(void *addr, size_t size, const struct omen_site *site, void *const streams[OMEN_STREAMS]);
void omen_streams_synchronise(int yes); /* a call of sync_with_stdio(yes) follows */

#endif
