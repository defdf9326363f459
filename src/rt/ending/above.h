/* What rt/ending asks of rooms above it: each function is defined by the room named before it. */
#ifndef OMEN_ABOVE_ENDING_H
#define OMEN_ABOVE_ENDING_H

#include "rt/core/rt.h"

/* rt/fibers: switches to `to` and returns when somebody switches back. */
void fiber_switch(struct fiber *to);

/* rt/memory: the program ends; do all invariants hold? */
void guard_end(void);

/* rt/kernel: has the program a handler for, or a thread that waits for, a signal that somebody outside might send? */
bool signals_expected(void);
/* rt/kernel: ends the process as the signal would. */
void signals_die_of(int signal) __attribute__((noreturn));

/* rt/world: what the execution has given to the outside is told, where the board asks for it. */
void world_report_outputs(void);

/* rt/threads: main returns, exit() is called, or an assertion fails. */
void sync_ends(void);
/* rt/threads: the program ends; which threads have ended, and nobody waited for them? */
void notice_leaks(void);

#endif
