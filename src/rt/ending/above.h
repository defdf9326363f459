/* What rt/ending calls in rooms above it.  The room named before a function defines the function. */
#ifndef OMEN_ABOVE_ENDING_H
#define OMEN_ABOVE_ENDING_H

#include "rt/core/rt.h"

/* rt/fibers: switches to `to`; returns when another fiber switches back. */
void fiber_switch(struct fiber *to);

/* rt/memory: the program ends.  Checks whether all invariants hold. */
void guard_end(void);

/* rt/kernel: does the program have a handler for, or a thread that waits for, a signal that can come from outside? */
bool signals_expected(void);
/* rt/kernel: ends the process as the signal would. */
void signals_die_of(int signal) __attribute__((noreturn));

/* rt/world: writes on the board what the execution gave to the outside, if config.given is set. */
void world_report_outputs(void);

/* rt/threads: main returns, exit() is called, or an assertion fails. */
void sync_ends(void);
/* rt/threads: the program ends.  Notes the threads that have ended but were neither joined nor detached. */
void notice_leaks(void);

#endif
