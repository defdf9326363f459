/*
 * The quick check: finds the pairs of places that could race as far as locks and must-happen-before tell. Other pairs
 * cannot race; for these the solver decides.
 *
 * In:  a trace, and which part of it to search.
 * Out: the pairs of places, with all accesses by which they may meet.
 * Called by the maximal tier; order_solver.h takes the result.
 */
#ifndef OMEN_CANDIDATES_H
#define OMEN_CANDIDATES_H

#include "predict/place_pairs.h"
#include "predict/window.h"

/* Accesses of one thread that neither locks nor must-happen-before tell apart. */
struct access_class {
	uint32_t variable, location, thread, segment, lockset;
	uint8_t op;
	uint32_t *events; /* in the order of the trace */
	uint32_t count, capacity;
};

/* Two places, and the accesses of the window by which they may meet. */
struct candidate {
	uint32_t location[2];    /* the smaller first */
	uint32_t (*meetings)[2]; /* two indices into `classes` each */
	uint32_t count, capacity;
};

struct candidates {
	struct access_class *classes;
	uint32_t class_count, class_capacity;
	struct candidate *list; /* in the order of their first meeting */
	uint32_t count, capacity;
	bool *is_candidate; /* by event, from the start of the window on: it is an access of a candidate */
	bool incomplete;    /* some may be missing: they are too many, or the search took too long */
};

/* What to search. */
struct candidate_scope {
	uint32_t end; /* of the window */
	/* An earlier window has searched the meetings of events that both come before this one. */
	uint32_t searched_until;
	/* Windows of this size were searched before (0: none): only meetings that are further apart are wanted. */
	uint32_t searched_window;
	const struct pairs *known; /* pairs of places to leave out */
	double deadline;           /* 0: no limit, of time or memory */
};

/* Finds the candidates among the events from the end of the prefix on. */
void candidates_find(struct candidates *c, const struct trace *t, const struct window_prefix *prefix,
                     const struct candidate_scope *scope);
void candidates_free(struct candidates *c);

#endif
