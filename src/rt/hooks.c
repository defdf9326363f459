/* The slow hooks of plain accesses and loops: what instrumented code calls when the hot page says so. */
#include "rt/hooks.h"

#include "rt/loop.h"
#include "rt/rt.h"
#include "rt/sched.h"

static inline bool on_own_stack(const void *addr)
{
	return (uint64_t)addr - omen.current->stack_low < omen.current->stack_high - omen.current->stack_low;
}

/* A plain access is a point while exploring, unless the fiber is alone with it on its own stack. */
static inline void access_point(const void *addr, const struct omen_site *site)
{
	if (unlikely(omen.off & OFF_BEFORE) || !omen.access_points || on_own_stack(addr))
		return;
	if (++omen.points < omen.interest || omen.nrunnable < 2 || omen.off)
		return;
	sched_access(where_site(site));
}

static inline void write_point(void *addr, const struct omen_site *site)
{
	access_point(addr, site);
	if (likely(!(omen.off & OFF_BEFORE)) && !on_own_stack(addr))
		loop_wrote();
}

#define LOAD(n, type)                                                                                                  \
	EXPORT OMEN_SLOW type omen_slow_load##n(const void *addr, type value, const struct omen_site *site)            \
	{                                                                                                              \
		(void)value;                                                                                           \
		access_point(addr, site);                                                                              \
		return *(const volatile type *)addr; /* others may have run since it was read */                       \
	}
LOAD(1, uint8_t)
LOAD(2, uint16_t)
LOAD(4, uint32_t)
LOAD(8, uint64_t)

EXPORT OMEN_SLOW void omen_slow_loadn(const void *addr, void *value, size_t size, const struct omen_site *site)
{
	access_point(addr, site);
	__builtin_memcpy(value, addr, size);
}

EXPORT OMEN_SLOW void omen_slow_store(void *addr, size_t size, const struct omen_site *site)
{
	(void)size;
	write_point(addr, site);
}

EXPORT OMEN_SLOW void omen_slow_copy(void *to, const void *from, size_t size, const struct omen_site *site)
{
	if (!size)
		return;
	access_point(from, site);
	write_point(to, site);
}

EXPORT OMEN_SLOW void omen_slow_set(void *to, size_t size, const struct omen_site *site)
{
	if (size)
		write_point(to, site);
}

/* Called by omen_slow_loop in arch/, with the program's registers: r11 first, then the fourteen others. */
void hook_loop(const struct omen_site *site, const uint64_t *registers)
{
	struct fiber *f = omen.current;

	if ((omen.off & OFF_BEFORE)) {
		omen_hot->budget = LOOP_BUDGET;
		return;
	}
	struct entry outer = f->entry;
	f->entry = (struct entry){.registers = registers + 1,
	                          .size = 14 * sizeof(*registers),
	                          .sp = (uint64_t)(registers + 16),
	                          .where = where_site(site)};
	sched_point(POINT_YIELD, where_site(site));
	f->entry = outer;
}
