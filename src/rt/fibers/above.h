/* What the scheduler asks of rooms above it: each group is defined by the room named before it. */
#ifndef OMEN_ABOVE_FIBERS_H
#define OMEN_ABOVE_FIBERS_H

#include <ucontext.h>

#include "rt/core/rt.h"
#include "rt/ending/above.h"

/* ---- rt/kernel: time and the world ---- */

void kernel_fire_timers(void); /* ends the waits and timers that are due */
void kernel_sync_clock(void);  /* without the tool the clock is the real one */
bool kernel_timers_armed(void);
bool kernel_timer_kills(int64_t until); /* a timer that is due by then ends the process: its signal has no handler */
void kernel_poll(int64_t timeout);      /* ends the waits of fibers whose descriptors are ready; ns, -1 for ever */
void kernel_look_again(void);           /* at children and at futexes that other processes can change */
void kernel_idle(void);                 /* nobody can run: wait for time or the world, or report the deadlock */
bool kernel_is_alone(void);             /* nobody outside will send a signal */
bool kernel_shares_memory(void);        /* some memory, with other processes */

/* ---- rt/kernel: signals ---- */

enum admission { ADMIT_POINT = 1, ADMIT_IDLE, ADMIT_SENT };
/* Lets in what has come from outside: at a point, while nobody can run, or because of a call that was just made. */
void signals_admit(enum admission place);
/* Runs the handlers of what is pending for the running fiber and not blocked. */
void signals_deliver(void);
/* Is there a signal that must end f's wait? */
bool signals_interrupt(const struct fiber *f);
/* How much of the floating point and vector registers the kernel saved in a frame. */
size_t signals_vectors_size(const ucontext_t *uc);

/* ---- rt/world ---- */

/*
 * Could the program's memory be read?  `readable`: whether it can now.  If not, as it is shared with other processes,
 * a recording says so, and its replay gets the same answer although it shares none.
 */
bool world_memory_readable(bool readable);

/* ---- rt/snapshot ---- */

/* The point of config.stop_at: ends, or makes executions that go on from here and returns in each of them. */
void snapshot_here(void);

/* ---- rt/memory ---- */

/* What was about to be written has been: do all invariants hold?  Before anybody else runs. */
void guard_settle(void);
static inline void guard_point(void)
{
	if (unlikely(mode_is(INVARIANT_OPEN)))
		guard_settle();
}

/* ---- rt/strategy ---- */

/* The strategy that the board names; ends the process with a message if there is none. */
const struct strategy *strategy_by_id(uint32_t id);

#endif
