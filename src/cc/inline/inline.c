/*
 * The helpers that instrumented code calls: inlined into every function, so that an operation nobody watches costs
 * one test of the hot page.  They are the only place where the pass's control flow is written; the pass itself
 * inserts straight calls.
 */
#include "rt/hooks.h"

typedef uint64_t omen_vector __attribute__((vector_size(16)));

#define HELPER  __attribute__((always_inline))
#define WATCHED __builtin_expect(omen_hot->watch != 0, 0)

/*
 * Does an access need its slow hook?  Not while nothing is watched (one test), and not if the running segment has
 * accessed these bytes in the same way before: then its half of the cell says so.  `size` and `align` are constants.
 */
HELPER static inline int misses(const uint32_t *half, uint64_t addr, unsigned size, unsigned align)
{
	const unsigned next = sizeof(struct omen_cell) / sizeof(*half);
	uint32_t stamp = omen_hot->stamp, other = *half ^ stamp; /* nonzero: bytes not accessed, or another segment */
	unsigned offset = addr & 7, within = size < 8 ? size : 8;
	uint32_t bytes = ((1u << within) - 1) << offset;

	if (size > 16 || (size > 8 && size != 16))
		return 1;
	if (size >= 8 && (align >= 8 || !offset))
		return other || (size > 8 && half[next] != stamp);
	if (align >= size)
		return (other & (~OMEN_CELL_BYTES | bytes)) != 0;
	if (other & (~OMEN_CELL_BYTES | (bytes & OMEN_CELL_BYTES)))
		return 1;
	if (bytes <= OMEN_CELL_BYTES)
		return 0;
	if (size > 8) {
		if (half[next] != stamp)
			return 1;
		half += next;
	}
	return ((half[next] ^ stamp) & (~OMEN_CELL_BYTES | bytes >> 8)) != 0;
}

/* An alignment of 0: another access of the same block tells about these bytes, only points are of interest. */
#define NEEDS_HOOK(addr, half, size, align)                                                                            \
	((align) == 0 ? __builtin_expect(omen_hot->watch > 1, 0)                                                       \
	              : WATCHED && (omen_hot->watch > 1 ||                                                             \
	                            misses(&omen_cell((uint64_t)(addr))->half, (uint64_t)(addr), size, align)))
#define READS(addr, size, align)  NEEDS_HOOK(addr, read, size, align)
#define WRITES(addr, size, align) NEEDS_HOOK(addr, write, size, align)

HELPER uint8_t omen_inline_load1(const void *addr, uint8_t value, const struct omen_site *site, uint32_t align)
{
	return READS(addr, 1, align) ? omen_slow_load1(addr, value, site) : value;
}

HELPER uint16_t omen_inline_load2(const void *addr, uint16_t value, const struct omen_site *site, uint32_t align)
{
	return READS(addr, 2, align) ? omen_slow_load2(addr, value, site) : value;
}

HELPER uint32_t omen_inline_load4(const void *addr, uint32_t value, const struct omen_site *site, uint32_t align)
{
	return READS(addr, 4, align) ? omen_slow_load4(addr, value, site) : value;
}

HELPER uint64_t omen_inline_load8(const void *addr, uint64_t value, const struct omen_site *site, uint32_t align)
{
	return READS(addr, 8, align) ? omen_slow_load8(addr, value, site) : value;
}

/*
 * Pointers and floating point have helpers of their own so that the value changes its type on the slow path only:
 * an integer detour on the fast path would hide a pointer's origin from alias analysis and move a float out of its
 * register.
 */
HELPER void *omen_inline_loadp(const void *addr, void *value, const struct omen_site *site, uint32_t align)
{
	return READS(addr, 8, align) ? (void *)omen_slow_load8(addr, (uint64_t)value, site) : value;
}

HELPER float omen_inline_loadf(const void *addr, float value, const struct omen_site *site, uint32_t align)
{
	union {
		float value;
		uint32_t bits;
	} u = {value};

	if (!READS(addr, 4, align))
		return value;
	u.bits = omen_slow_load4(addr, u.bits, site);
	return u.value;
}

HELPER double omen_inline_loadd(const void *addr, double value, const struct omen_site *site, uint32_t align)
{
	union {
		double value;
		uint64_t bits;
	} u = {value};

	if (!READS(addr, 8, align))
		return value;
	u.bits = omen_slow_load8(addr, u.bits, site);
	return u.value;
}

HELPER omen_vector omen_inline_loadv(const void *addr, omen_vector value, const struct omen_site *site, uint32_t align)
{
	if (READS(addr, sizeof(value), align))
		omen_slow_loadn(addr, &value, sizeof(value), site);
	return value;
}

HELPER void omen_inline_loadn(const void *addr, void *value, size_t size, const struct omen_site *site)
{
	if (WATCHED)
		omen_slow_loadn(addr, value, size, site);
}

HELPER void omen_inline_store(void *addr, size_t size, const struct omen_site *site, uint32_t align)
{
	if (WRITES(addr, (unsigned)size, align))
		omen_slow_store(addr, size, site);
}

HELPER void omen_inline_prefetch(const void *addr)
{
	if (WATCHED)
		__builtin_prefetch(omen_cell((uint64_t)addr));
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

HELPER void omen_inline_branch(const struct omen_site *site)
{
	(void)site;
	omen_hot->branched = 1;
}

HELPER void omen_inline_loop(const struct omen_site *site)
{
	int32_t left =
	        (int32_t)((uint32_t)omen_hot->budget - 1); /* may wrap: then it is one instruction with its flags */

	omen_hot->budget = left;
	if (__builtin_expect(left < 0, 0))
		omen_slow_loop(site);
}

/* Pushes a frame; returns the depth to hand to omen_inline_exit(). Before the runtime is up there are no frames. */
HELPER uint32_t omen_inline_enter(const struct omen_site *site)
{
	uint32_t depth = omen_hot->depth;
	const struct omen_site **frames = omen_hot->frames;

	if (__builtin_expect(frames != NULL, 1))
		frames[depth & (OMEN_FRAMES - 1)] = site;
	omen_hot->depth = depth + 1;
	return depth;
}

HELPER void omen_inline_exit(uint32_t depth) { omen_hot->depth = depth; }

/* Control came back into the function past frames that never left: an exception was caught, or longjmp was called. */
HELPER void omen_inline_return(uint32_t depth) { omen_hot->depth = depth + 1; }

#include "cc/inline/libcall.h"
