/*
 * The helpers that instrumented code calls (omen_inline_*). Each is inlined into its callers, so that an operation that
 * nobody watches costs one test of the hot page. All control flow that the pass adds is written here; the pass itself
 * inserts only calls.
 */
#include "abi/hooks.h"

typedef uint64_t omen_vector __attribute__((vector_size(16)));

#define HELPER            __attribute__((always_inline))
#define IS_WATCHED(stamp) __builtin_expect((stamp) != OMEN_UNWATCHED, 1)
#define WATCHED           IS_WATCHED(omen_hot->stamp)

/*
 * Cells are addressed through %gs, which the runtime points at them, and so is the table of masks: neither needs a
 * register for its base.
 */
#define IN_CELLS       __attribute__((address_space(256)))
#define CELL_AT(place) ((struct omen_cell IN_CELLS *)(place))

/*
 * The bits of a half that must equal those of the running segment's stamp: the segment, and the bytes that the access
 * has.
 */
#define MASK(size, offset)                                                                                             \
	(*(const uint32_t IN_CELLS *)(4 * (uint64_t)(offset) + (OMEN_MASKS + 32 * __builtin_ctz(size))))
#define BYTES(size, offset)      (((1u << (size)) - 1) << (offset))
#define KNOWN_MASK(size, offset) (~(OMEN_CELL_MERGED | OMEN_CELL_BYTES) | BYTES(size, offset))

typedef uint32_t IN_CELLS half_t;

/*
 * The half is not the running segment's, or it lacks some of the bytes. The access may still replace the old one
 * without its slow hook: if its fiber accessed just these bytes in the same way before, or the half is merged
 * (rt/shadow/race_check.h, shadow_again). Returns 0 after doing so. It reads everything again, so that the test before
 * it, which mostly says that there is nothing to do, keeps no values for it.
 */
HELPER static inline int needs_new_access(volatile half_t *half, unsigned size, unsigned offset)
{
	uint32_t was = *half, stamp = *(volatile uint32_t *)&omen_hot->stamp;
	uint32_t bytes = size == 8 ? OMEN_CELL_BYTES : BYTES(size, offset);

	if ((was ^ stamp) & (OMEN_CELL_OWNER | bytes))
		return 1;
	if (bytes == OMEN_CELL_BYTES) {
		*half = stamp;
		return 0;
	}
	if (!(was & OMEN_CELL_MERGED) && (was & OMEN_CELL_BYTES) != bytes)
		return 1;
	*half = was ^ ((was ^ stamp) & ~(OMEN_CELL_MERGED | OMEN_CELL_BYTES));
	return 0;
}

/* Does the half of an access within one cell differ from what needs no hook? */
HELPER static inline int differs_in_one(const half_t *half, uint32_t stamp, unsigned size, unsigned offset,
                                        int is_placed)
{
	uint32_t mask = size == 8 ? ~0u : is_placed ? KNOWN_MASK(size, offset) : MASK(size, offset);

	return ((*half ^ stamp) & mask) != 0;
}

/* The same for an access that reaches into the next cell, where both halves count. */
HELPER static inline int differs_in_two(const half_t *half, const half_t *next, uint32_t stamp, unsigned size,
                                        unsigned offset)
{
	uint32_t rest = BYTES(size, offset) >> 8;

	return ((*half ^ stamp) & MASK(size, offset)) ||
	       ((*next ^ stamp) & (~(OMEN_CELL_MERGED | OMEN_CELL_BYTES) | rest));
}

/* The same for vectors of 16 bytes, which have three cells if they are not aligned. */
HELPER static inline int differs_in_vector(const half_t *half, const half_t *next, const half_t *last, uint32_t stamp,
                                           unsigned offset)
{
	if (!offset)
		return *half != stamp || *next != stamp;
	return ((*half ^ stamp) & MASK(8, offset)) || *next != stamp ||
	       ((*last ^ stamp) & (~(OMEN_CELL_MERGED | OMEN_CELL_BYTES) | OMEN_CELL_BYTES >> (8 - offset)));
}

/*
 * Does an access need its slow hook? Not while nothing is watched, and not if the running segment has accessed these
 * bytes in the same way before: then its half of the cell says so. One word holds both facts, and also that every
 * access needs its hook: the size of the tests' code is what matters here. `size` and `align` are constants.
 *
 * An access that is less aligned than its type says must write no half, as its place is wrong: then `cells` is not a
 * multiple of the size of a cell.
 */
HELPER static inline int needs_hook(half_t *half, uint64_t addr, unsigned size, uint32_t align, uint64_t cells)
{
	uint32_t stamp = omen_hot->stamp;
	const unsigned cell = sizeof(struct omen_cell) / sizeof(*half);
	int is_placed = (align & OMEN_PLACED) != 0;
	unsigned offset = is_placed ? align & 7 : addr & 7;

	if (!IS_WATCHED(stamp))
		return 0;
	if (size == 16)
		return differs_in_vector(half, half + cell, half + 2 * cell, stamp, offset);
	if (size > 8)
		return 1;
	if ((!is_placed && align >= size) || offset + size <= 8)
		return __builtin_expect(differs_in_one(half, stamp, size, offset, is_placed), 0) &&
		       ((is_placed && cells % sizeof(struct omen_cell)) || needs_new_access(half, size, offset));
	return differs_in_two(half, half + cell, stamp, size, offset);
}

/*
 * The place of an access: its alignment, or its place in 8 bytes (OMEN_PLACED); and its cell, `distance` bytes behind
 * the cell of a base, so that accesses to members of one variable compute the base's cell once. Alignment 0: another
 * access of the same block covers these bytes, and only points matter.
 */
#define PLACE uint32_t align, uint64_t cells, uint64_t distance
#define NEEDS_HOOK(addr, half, size)                                                                                   \
	(align == 0 ? __builtin_expect(omen_hot->watch == OMEN_WATCH_ALL, 0)                                           \
	            : needs_hook(&CELL_AT(cells + distance)->half, (uint64_t)(addr), size, align, cells))
#define READS(addr, size)  NEEDS_HOOK(addr, read, size)
#define WRITES(addr, size) NEEDS_HOOK(addr, write, size)

/*
 * An access to a variable whose extent is known. The fast path is the same; the slow path checks that the access is
 * inside.
 */
#define OBJECT           int64_t offset, size_t extent, uint32_t what
#define IS_OUTSIDE(size) ((uint64_t)offset > extent || (size) > extent - (uint64_t)offset)
#define CHECK_OBJECT(size)                                                                                             \
	((void)(omen_hot->watch > 1 && IS_OUTSIDE(size) ? omen_slow_object(offset, size, extent, what) : (void)0))

#define LOAD(n, type)                                                                                                  \
	HELPER type omen_inline_load##n(const void *addr, type value, const struct omen_site *site, PLACE)             \
	{                                                                                                              \
		return READS(addr, n) ? omen_slow_load##n(addr, value, site) : value;                                  \
	}                                                                                                              \
	HELPER type omen_inline_load##n##_in(const void *addr, type value, const struct omen_site *site, PLACE,        \
	                                     OBJECT)                                                                   \
	{                                                                                                              \
		if (!WATCHED)                                                                                          \
			return value;                                                                                  \
		if (READS(addr, n))                                                                                    \
			value = omen_slow_load##n(addr, value, site);                                                  \
		CHECK_OBJECT(n);                                                                                       \
		return value;                                                                                          \
	}
LOAD(1, uint8_t)
LOAD(2, uint16_t)
LOAD(4, uint32_t)
LOAD(8, uint64_t)

/*
 * Pointers and floating-point numbers have helpers of their own, so that the value changes its type on the slow path
 * only: an integer on the fast path would hide a pointer's origin from alias analysis and move a float out of its
 * register.
 */
#define LOAD_AS(letter, n, type, bits_type)                                                                            \
	HELPER static inline type slow_##letter(const void *addr, type value, const struct omen_site *site)            \
	{                                                                                                              \
		union {                                                                                                \
			type value;                                                                                    \
			bits_type bits;                                                                                \
		} u = {value};                                                                                         \
		u.bits = omen_slow_load##n(addr, u.bits, site);                                                        \
		return u.value;                                                                                        \
	}                                                                                                              \
	HELPER type omen_inline_load##letter(const void *addr, type value, const struct omen_site *site, PLACE)        \
	{                                                                                                              \
		return READS(addr, n) ? slow_##letter(addr, value, site) : value;                                      \
	}                                                                                                              \
	HELPER type omen_inline_load##letter##_in(const void *addr, type value, const struct omen_site *site, PLACE,   \
	                                          OBJECT)                                                              \
	{                                                                                                              \
		if (!WATCHED)                                                                                          \
			return value;                                                                                  \
		if (READS(addr, n))                                                                                    \
			value = slow_##letter(addr, value, site);                                                      \
		CHECK_OBJECT(n);                                                                                       \
		return value;                                                                                          \
	}
typedef void *pointer;
LOAD_AS(p, 8, pointer, uint64_t)
LOAD_AS(f, 4, float, uint32_t)
LOAD_AS(d, 8, double, uint64_t)

HELPER omen_vector omen_inline_loadv(const void *addr, omen_vector value, const struct omen_site *site, PLACE)
{
	if (READS(addr, sizeof(value)))
		omen_slow_loadn(addr, &value, sizeof(value), site);
	return value;
}

HELPER omen_vector omen_inline_loadv_in(const void *addr, omen_vector value, const struct omen_site *site, PLACE,
                                        OBJECT)
{
	if (!WATCHED)
		return value;
	if (READS(addr, sizeof(value)))
		omen_slow_loadn(addr, &value, sizeof(value), site);
	CHECK_OBJECT(sizeof(value));
	return value;
}

HELPER void omen_inline_loadn(const void *addr, void *value, size_t size, const struct omen_site *site)
{
	if (WATCHED)
		omen_slow_loadn(addr, value, size, site);
}

HELPER void omen_inline_store(void *addr, size_t size, const struct omen_site *site, PLACE)
{
	if (WRITES(addr, (unsigned)size))
		omen_slow_store(addr, size, site);
}

HELPER void omen_inline_store_in(void *addr, size_t size, const struct omen_site *site, PLACE, OBJECT)
{
	if (!WATCHED)
		return;
	if (WRITES(addr, (unsigned)size))
		omen_slow_store(addr, size, site);
	CHECK_OBJECT(size);
}

/* An access without another hook, as no other thread sees the variable. */
HELPER void omen_inline_object(int64_t offset, size_t size, size_t extent, uint32_t what)
{
	if (__builtin_expect(omen_hot->watch > 1, 0) && IS_OUTSIDE(size))
		omen_slow_object(offset, size, extent, what);
}

HELPER void omen_inline_prefetch(const void *addr)
{
	if (WATCHED) {
		const char *cells = (const char *)omen_cell((uint64_t)addr & ~63ul);
		__builtin_prefetch(cells);
		__builtin_prefetch(cells + 64);
	}
}

HELPER void omen_inline_copy(void *to, const void *from, size_t size, const struct omen_site *site)
{
	if (WATCHED)
		omen_slow_copy(to, from, size, site);
}

HELPER void omen_inline_set(void *to, size_t size, const struct omen_site *site)
{
	if (WATCHED)
		omen_slow_set(to, size, site);
}

/* These replace the operation: where each of its words is a step of its own, the runtime performs it. */
HELPER void omen_inline_memcpy(void *to, const void *from, size_t size, const struct omen_site *site)
{
	if (!WATCHED || !omen_slow_memmove(to, from, size, site))
		__builtin_memcpy(to, from, size);
}

HELPER void omen_inline_memmove(void *to, const void *from, size_t size, const struct omen_site *site)
{
	if (!WATCHED || !omen_slow_memmove(to, from, size, site))
		__builtin_memmove(to, from, size);
}

HELPER void omen_inline_memset(void *to, uint8_t value, size_t size, const struct omen_site *site)
{
	if (!WATCHED || !omen_slow_memset(to, value, size, site))
		__builtin_memset(to, value, size);
}

HELPER void omen_inline_branch(const struct omen_site *site)
{
	(void)site;
	omen_hot->branched = 1;
}

HELPER void omen_inline_let_out(void) { omen_hot->let_out = 1; }

HELPER void omen_inline_loop(const struct omen_site *site)
{
	/* This may wrap around, so that it compiles to one instruction that also sets the flags. */
	int32_t left = (int32_t)((uint32_t)omen_hot->budget - 1);

	omen_hot->budget = left;
	if (__builtin_expect(left < 0, 0))
		omen_slow_loop(site);
}

/* Pushes a frame; returns the depth to hand to omen_inline_exit(). */
HELPER uint32_t omen_inline_enter(const struct omen_site *site)
{
	uint32_t depth = omen_hot->depth;

	omen_hot->frames[depth & (OMEN_FRAMES - 1)] = site;
	omen_hot->depth = depth + 1;
	return depth;
}

HELPER void omen_inline_exit(uint32_t depth) { omen_hot->depth = depth; }

/*
 * Control came back into the function past frames that were never left: an exception was caught, or longjmp was called.
 */
HELPER void omen_inline_return(uint32_t depth) { omen_hot->depth = depth + 1; }

#include "cc/inline/call_helpers.h"
