/* What rt/ending calls in rooms above it.  The comment of each function names the room that defines it. */
#ifndef OMEN_ABOVE_ENDING_H
#define OMEN_ABOVE_ENDING_H

#include "rt/core/rt.h"

/* rt/fibers: switches to the fiber `to`; returns when the running fiber is switched to again. */
void fiber_switch(struct fiber *to);

/* rt/memory: the program ends: checks all invariants. */
void invariants_end(void);

/* rt/kernel: does the program handle, or does a thread wait for, a signal that another process might send? */
bool signals_expected(void);
/* rt/kernel: ends the process in the way the signal would. */
void signals_die_of(int signal) __attribute__((noreturn));

/* rt/snapshot: the execution is over.  Does not return if the process is rewound for the next one. */
void execution_over(void);

/* rt/world: puts the outputs of the execution on the board, if the board asks for it. */
void world_report_outputs(void);

/* rt/threads: the program ends: main returns, exit() is called, or an assertion fails. */
void sync_ends(void);
/* rt/threads: the program ends: notes the ended threads that nobody joined. */
void notice_leaks(void);

#endif
