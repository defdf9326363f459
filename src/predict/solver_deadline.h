/*
 * Interrupts the solver at a deadline. A thread looks at the clock every 50 ms. Z3's own time limit wakes a thread and
 * waits for it at every question: too much for small ones.
 *
 * In:  a Z3 context, and the deadline of each question.
 * Out: a call of Z3_interrupt() after it.
 * Called by order_solver.c only.
 */
#ifndef OMEN_SOLVER_DEADLINE_H
#define OMEN_SOLVER_DEADLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <z3.h>

struct deadline_watch {
	Z3_context z3;
	pthread_t watcher;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	double deadline; /* of the current question, as seconds_now() counts; 0: there is none */
	bool watched, stop;
};

/* All zero before. If no thread can be had, questions have no time limit. */
void deadline_watch_start(struct deadline_watch *d, Z3_context z3);
void deadline_watch_set(struct deadline_watch *d, double deadline);
void deadline_watch_end(struct deadline_watch *d);

#endif
