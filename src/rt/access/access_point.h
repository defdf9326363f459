/* What a plain access is to the scheduler: a point while exploring. */
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

/* A plain access is a point while exploring, unless the fiber is alone with it on its own stack. */
static inline void access_point(const void *addr, uint64_t where)
{
	guard_point();
	if (unlikely(omen.off & OFF_BEFORE) || !mode_is(ACCESS_POINTS) || (on_own_stack(addr) && !mode_is(STEPS)))
		return;
	if (unlikely(++omen.points >= omen.sparse_at))
		density_begin_sparse();
	if (!sched_has_choice() || omen.off)
		return;
	omen.current->about = (uint64_t)addr;
	sched_access(where);
}

/* All that was to be done for an access is done: what the detector has left behind may depend on who came first. */
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
