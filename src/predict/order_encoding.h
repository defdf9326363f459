/*
 * The clauses that say which orders of a window are possible.
 *
 * In:  a window, and a new solver; later, what an answer of the solver breaks.
 * Out: clauses in the solver.
 * Called by order_solver.c and order_refinement.c only.
 */
#ifndef OMEN_ORDER_ENCODING_H
#define OMEN_ORDER_ENCODING_H

#include <z3.h>

#include "predict/order_solver.h"
#include "predict/solver_deadline.h"

/* If the literal holds, the read sees this write (NONE: what was there when the window started). */
struct choice {
	Z3_ast literal;
	uint32_t read, write;
};

/* How many of the varying reads of each thread are right. */
struct read_counts {
	Z3_ast **right;  /* by thread and k: the literal "its first k reads are right" */
	uint32_t *count; /* by thread: how many it has */
	uint32_t *known; /* by thread: how many are right in the last answer */
};

struct order_solver {
	const struct window *w;
	Z3_context z3;
	Z3_solver solver;
	Z3_ast *place, meeting, minus_one, zero;
	Z3_func_decl *decl, meeting_decl;        /* of `place` and `meeting`, for models */
	struct read_counts unconfined, confined; /* the reads that branches depend on, and the others */
	Z3_ast *is_next; /* by node: the literal "it is next at the meeting"; NULL until it is needed */

	bool *encoded;          /* by varying read: its clauses were added, except that … */
	struct choice *choices; /* … no write of a third thread comes between, for these choices */
	uint32_t choice_count, choice_capacity;

	bool *covered;   /* by thread, for encode_no_write_between() */
	int64_t *places; /* the places of the last answer */
	int64_t meeting_place;

	struct deadline_watch deadline;
};

/* What holds in every order: program order, edges, and what branches and joins need. */
void order_encode_start(struct order_solver *o);
/* One of two sections of a lock is over before the other starts, or one of them does not start before the meeting. */
void order_encode_exclusion(struct order_solver *o, const struct section *a, const struct section *b);
/* The read is right only if the last write before it is one that it may see, and has its value. */
void order_encode_read(struct order_solver *o, uint32_t index);
/* If the choice holds, this write does not come between its write and its read. */
void order_encode_keep_out(struct order_solver *o, const struct choice *c, const struct access *other);
/* The literal that stands for the question whether two places can meet. */
Z3_ast order_encode_question(struct order_solver *o, const struct candidates *c, const struct candidate *pair);

Z3_ast order_before(struct order_solver *o, uint32_t x, uint32_t y);
Z3_ast order_not_before_meeting(struct order_solver *o, uint32_t x);
void order_add_clause(struct order_solver *o, unsigned count, const Z3_ast *literals);

static inline bool order_is_confined(const struct order_solver *o, const struct access *r)
{
	return o->w->trace->events[r->event].flags & EVENT_CONFINED;
}

static inline bool order_is_fed(const struct order_solver *o, const struct access *write)
{
	return o->w->trace->events[write->event].flags & EVENT_FED;
}

#endif
