/* What the scheduler asks of rooms above it: each group is defined by the room named before it. */
#ifndef OMEN_ABOVE_FIBERS_H
#define OMEN_ABOVE_FIBERS_H

#include <ucontext.h>

#include "rt/core/rt.h"
#include "rt/ending/above.h"

/* ---- rt/kernel: time and the world ---- */

void env_fire_timers(void); /* ends the waits and timers that are due */
void env_sync_clock(void);  /* without the tool the clock is the real one */
bool env_timers_armed(void);
bool env_timer_kills(int64_t until); /* a timer that is due by then ends the process: its signal has no handler */
void env_poll(int64_t timeout);      /* ends the waits of fibers whose descriptors are ready; ns, -1 for ever */
void env_look_again(void);           /* at children and at futexes that other processes can change */
void env_idle(void);                 /* nobody can run: wait for time or the world, or report the deadlock */
bool env_alone(void);                /* nobody outside will send a signal */
bool env_shares(void);               /* some memory, with other processes */

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
 * Whether the state of the program could be looked at.  Where it could not, as it shares memory with others, a
 * recording says so: a replay shares none.
 */
bool world_looked(bool found);

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
