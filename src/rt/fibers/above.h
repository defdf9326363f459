/*
 * What the fibers room calls in rooms above it.  Each group names the room that defines it.  For rt/fibers; rooms above
 * may call these functions, too.
 */
#ifndef OMEN_ABOVE_FIBERS_H
#define OMEN_ABOVE_FIBERS_H

#include <ucontext.h>

#include "rt/core/rt.h"
#include "rt/ending/above.h"

/* ---- rt/kernel: time and the world ---- */

void kernel_fire_timers(void); /* ends the waits that are due, fires the timers that are due */
void kernel_sync_clock(void);  /* without the tool, sets the clock to real time */
bool kernel_timers_armed(void);
bool kernel_timer_kills(int64_t until); /* does a timer due by then kill the process (no handler)? */
void kernel_poll(int64_t timeout);      /* ends waits whose descriptors are ready; ns, -1: no limit */
void kernel_look_again(void);           /* checks children, and futexes that other processes can change */
void kernel_idle(void);                 /* no fiber can run: waits for time or the world, or reports the deadlock */
bool kernel_is_alone(void);             /* no other process will send a signal */
bool kernel_shares_memory(void);        /* does the process share memory with other processes? */

/* ---- rt/kernel: signals ---- */

enum admission { ADMIT_POINT = 1, ADMIT_IDLE, ADMIT_SENT };
/* Admits signals from outside.  `place`: at a point, while no fiber can run, or after a call that sent a signal. */
void signals_admit(enum admission place);
/* Runs the handlers of the running fiber's pending signals, except those that it blocks. */
void signals_deliver(void);
/* Must a signal end f's wait? */
bool signals_interrupt(const struct fiber *f);
/* The size of the floating point and vector registers that the kernel saved in a signal frame. */
size_t signals_vectors_size(const ucontext_t *uc);

/* ---- rt/world ---- */

/*
 * Could the recorded execution read all of the program's memory?  The caller passes as `readable` whether this
 * execution can.  It cannot when other processes share the memory.  The recording notes that, and a replay, which
 * shares no memory, returns the recorded answer.
 */
bool world_memory_readable(bool readable);

/* ---- rt/snapshot ---- */

/*
 * The execution is at the point config.stop_at: ends it, leaves its recording, or forks executions and returns in each
 * of them.
 */
void snapshot_here(void);

/* ---- rt/memory ---- */

/* The announced write has happened: checks all invariants, before another fiber runs. */
void invariants_settle(void);
static inline void invariants_point(void)
{
	if (unlikely(mode_is(INVARIANT_OPEN)))
		invariants_settle();
}

/* ---- rt/strategy ---- */

/* The strategy with this number; ends the process with a message if there is none. */
const struct strategy *strategy_by_id(uint32_t id);

#endif
