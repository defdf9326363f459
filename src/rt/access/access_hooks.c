/* The slow hooks of plain accesses and loops: instrumented code calls them when the hot page says so. */
#include "abi/hooks.h"

#include "rt/core/op.h"
#include "rt/access/access_point.h"
#include "rt/memory/memory_check.h"
#include "rt/order/happens_before.h"
#include "rt/access/wide_access.h"
#include "rt/shadow/race_check.h"
#include "rt/shadow/watch.h"
#include "rt/memory/wild_pointer.h"

static inline void write_point(void *addr, const struct omen_site *site)
{
	op_count();
	access_point(addr, where_site(site));
	access_wrote(addr);
}

/* Does only the detector want the access?  (shadow_access() sorts out what the program wants ignored.) */
static inline bool is_plain(void)
{
	return likely(mode_is(ONLY_DETECT) && !omen.off && !omen.current->ignores[0] && !omen.current->ignores[1]);
}

/* An access that is no point, to one cell or across two. */
static inline void check_read(uint64_t addr, unsigned size, const struct omen_site *site)
{
	uint32_t bytes = shadow_bytes(addr, size);

	if (unlikely(bytes > OMEN_CELL_BYTES)) {
		if (!shadow_knows(addr, size, false))
			shadow_read_across(addr, size, site);
	} else {
		shadow_read(addr, bytes, site);
	}
}

static inline void check_write(uint64_t addr, unsigned size, const struct omen_site *site)
{
	uint32_t bytes = shadow_bytes(addr, size);

	if (unlikely(bytes > OMEN_CELL_BYTES)) {
		if (!shadow_knows(addr, size, true))
			shadow_access(addr, size, ACCESS_WRITE, site);
	} else {
		shadow_write(addr, bytes, site);
	}
}

/*
 * Can the access be skipped?  It has at most 8 bytes, none of them is watched, and only watched bytes are of interest.
 */
static inline bool is_unwatched(const void *addr, unsigned size)
{
	return mode_is(ONLY_WATCHED) && !mode_is(EXPLAIN_VALUE) && !watch_marked((uint64_t)addr) &&
	       !watch_marked((uint64_t)addr + size - 1);
}

/* Most accesses are nowhere near a watched byte.  This test needs few registers. */
static inline bool is_far(const void *addr, unsigned size)
{
	return unlikely(mode_is(ONLY_WATCHED)) && !mode_is(EXPLAIN_VALUE) && !watch_near((uint64_t)addr) &&
	       !watch_near((uint64_t)addr + size - 1);
}

/*
 * Further bytes of a cell that no other fiber has touched.  This test needs few registers, too.  (No cell has the stamp
 * of a fiber whose accesses are to be ignored.)
 */
static inline bool joins_read(const void *addr, unsigned size)
{
	return likely(mode_is(ONLY_DETECT) && !omen.off) &&
	       shadow_joins_read((uint64_t)addr, shadow_bytes((uint64_t)addr, size));
}

static inline bool joins_write(const void *addr, unsigned size)
{
	return likely(mode_is(ONLY_DETECT) && !omen.off) &&
	       shadow_joins_write((uint64_t)addr, shadow_bytes((uint64_t)addr, size));
}

static bool is_volatile(const struct omen_site *site)
{
	return unlikely(mode_is(VOLATILE)) && site->flags & OMEN_SITE_VOLATILE;
}

/*
 * The frames of these are in the state of the program, as they stand at a point.  The rest of an access has a function
 * of its own so that they need few registers, and none that only fills up the frame: tests/house/frames.
 */
static __attribute__((noinline)) void check_made(uint64_t addr, size_t size, uint32_t flags,
                                                 const struct omen_site *site)
{
	shadow_plain(addr, size, flags, site);
	memory_access((const void *)addr, size, flags, site);
	access_over();
}

static __attribute__((noinline)) void read_volatile(const void *addr, size_t size, const struct omen_site *site)
{
	order_load(addr, ACQUIRE);
	shadow_access((uint64_t)addr, size, ACCESS_ATOMIC, site);
	memory_access(addr, size, 0, site);
	access_over();
}

static __attribute__((noinline)) void write_volatile(void *addr, size_t size, const struct omen_site *site)
{
	shadow_access((uint64_t)addr, size, ACCESS_WRITE | ACCESS_ATOMIC, site);
	memory_access(addr, size, ACCESS_WRITE, site);
	order_store(addr, RELEASE);
	access_over();
}

static void make_read(const void *addr, size_t size, const struct omen_site *site)
{
	EVEN_FRAME("r13");
	op_count();
	access_point(addr, where_site(site));
	if (is_volatile(site))
		read_volatile(addr, size, site);
	else
		check_made((uint64_t)addr, size, 0, site);
}

static void make_write(void *addr, size_t size, const struct omen_site *site)
{
	write_point(addr, site);
	if (is_volatile(site))
		write_volatile(addr, size, site);
	else
		check_made((uint64_t)addr, size, ACCESS_WRITE, site);
}

/*
 * Assembly may call C, and so a hook, with a stack that is 8 bytes off.  Points, explanations and reports need an
 * aligned stack.  Only these calls align it, because what fills up the frame would be in the state of the program
 * (state_hash.c).
 */
static COLD void read_odd(const void *addr, size_t size, const struct omen_site *site) { make_read(addr, size, site); }
static COLD void write_odd(void *addr, size_t size, const struct omen_site *site) { make_write(addr, size, site); }

static __attribute__((noinline)) void read_at(const void *addr, size_t size, const struct omen_site *site)
{
	if (unlikely((uint64_t)__builtin_frame_address(0) & 15))
		read_odd(addr, size, site);
	else
		make_read(addr, size, site);
}

static __attribute__((noinline)) void write_at(void *addr, size_t size, const struct omen_site *site)
{
	if (unlikely((uint64_t)__builtin_frame_address(0) & 15))
		write_odd(addr, size, site);
	else
		make_write(addr, size, site);
}

/* The rest of a slow hook is a function of its own, so that a hook that ends early need not save all registers. */
#define OMEN_FULL OMEN_SLOW __attribute__((noinline))

/* Without points at accesses no other fiber has run since the value was read. */
#define LOAD(n, type)                                                                                                  \
	static OMEN_FULL type load##n(const void *addr, type value, const struct omen_site *site)                      \
	{                                                                                                              \
		wild_access(addr, n);                                                                                  \
		if (is_plain()) {                                                                                      \
			check_read((uint64_t)addr, n, site);                                                           \
			return value;                                                                                  \
		}                                                                                                      \
		if (is_unwatched(addr, n))                                                                             \
			return value;                                                                                  \
		read_at(addr, n, site);                                                                                \
		return *(const volatile type *)addr;                                                                   \
	}                                                                                                              \
	EXPORT OMEN_SLOW type omen_slow_load##n(const void *addr, type value, const struct omen_site *site)            \
	{                                                                                                              \
		if (is_far(addr, n) || joins_read(addr, n))                                                            \
			return value;                                                                                  \
		__attribute__((musttail)) return load##n(addr, value, site);                                           \
	}
LOAD(1, uint8_t)
LOAD(2, uint16_t)
LOAD(4, uint32_t)
LOAD(8, uint64_t)

EXPORT OMEN_SLOW void omen_slow_loadn(const void *addr, void *value, size_t size, const struct omen_site *site)
{
	wild_access(addr, size);
	if (is_plain()) {
		if (!shadow_knows((uint64_t)addr, size, false))
			shadow_access((uint64_t)addr, size, 0, site);
		return;
	}
	if (wide_access_load(addr, value, size, site))
		return;
	read_at(addr, size, site);
	__builtin_memcpy(value, addr, size);
}

static OMEN_FULL void store(void *addr, size_t size, const struct omen_site *site)
{
	wild_access(addr, size);
	if (size <= 8 && is_plain()) {
		check_write((uint64_t)addr, (unsigned)size, site);
		return;
	}
	if (size > 8 || !is_unwatched(addr, (unsigned)size))
		write_at(addr, size, site);
}

EXPORT OMEN_SLOW void omen_slow_store(void *addr, size_t size, const struct omen_site *site)
{
	if (size <= 8 && (is_far(addr, (unsigned)size) || joins_write(addr, (unsigned)size)))
		return;
	__attribute__((musttail)) return store(addr, size, site);
}

EXPORT OMEN_SLOW void omen_slow_copy(void *to, const void *from, size_t size, const struct omen_site *site)
{
	if (!size)
		return;
	wild_access(from, size);
	wild_access(to, size);
	op_count();
	access_point(from, where_site(site));
	shadow_range_read(from, size, site);
	write_point(to, site);
	shadow_range_write(to, size, site);
	memory_access(from, size, 0, site); /* after all points: no other fiber runs between this and the copy */
	memory_access(to, size, ACCESS_WRITE, site);
	access_over();
}

EXPORT OMEN_SLOW void omen_slow_set(void *to, size_t size, const struct omen_site *site)
{
	if (!size)
		return;
	wild_access(to, size);
	write_point(to, site);
	shadow_range_write(to, size, site);
	memory_access(to, size, ACCESS_WRITE, site);
	access_over();
}

EXPORT OMEN_SLOW void omen_slow_object(int64_t offset, size_t size, size_t extent, uint32_t what)
{
	if (unlikely(mode_is(CHECK)))
		memory_variable(0, offset, size, extent, what);
}

/* omen_slow_loop in arch/ calls it with the program's registers: r11 first, then the fourteen others. */
void hook_loop(const struct omen_site *site, const uint64_t *registers)
{
	if ((omen.off & OFF_BEFORE)) {
		omen_hot->budget = omen.loop_budget;
		return;
	}
	OP(LOOP, .site = site, .object = registers + 1, .size = 14 * sizeof(*registers),
	   .value = (uint64_t)(registers + 16));
	sched_point(POINT_YIELD, where_site(site));
}
