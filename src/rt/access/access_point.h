/*
 * Scheduling points at plain accesses.  In: an access of the running fiber.  Out: a point, if accesses are points now.
 * For the hooks of this room, of rt/libc and of rt/threads.
 */
#ifndef OMEN_ACCESS_POINT_H
#define OMEN_ACCESS_POINT_H

#include "rt/fibers/point_density.h"
#include "rt/fibers/above.h"
#include "rt/fibers/endless_loop.h"
#include "rt/core/rt.h"
#include "rt/fibers/sched.h"
#include "rt/fibers/state_hash.h"

static inline bool on_own_stack(const void *addr)
{
	return (uint64_t)addr - omen.current->stack_low < omen.current->stack_high - omen.current->stack_low;
}

/* A point before a plain access, if accesses are points, unless the access is to the fiber's own stack. */
static inline void access_point(const void *addr, uint64_t where)
{
	invariants_point();
	if (unlikely(omen.off & OFF_BEFORE) || !mode_is(ACCESS_POINTS) || (on_own_stack(addr) && !mode_is(STEPS)))
		return;
	if (unlikely(++omen.points >= omen.sparse_at))
		density_begin_sparse();
	if (!sched_has_choice() || omen.off)
		return;
	omen.current->about = (uint64_t)addr;
	sched_access(where);
}

/*
 * The hook of an access is over.  Where states are compared, clears what the runtime left in registers and below the
 * stack pointer, because it may depend on the order of threads.
 */
static inline void access_over(void)
{
	if (unlikely(mode_any(MODES_WITH_STATES)))
		state_tidy();
}

static inline void access_wrote(const void *addr)
{
	if (likely(!(omen.off & OFF_BEFORE)) && !on_own_stack(addr))
		loop_wrote();
}

#endif
