/*
 * The quick check: which pairs of places could race as far as locks and must-happen-before tell. What does not pass it
 * cannot race; what does is for the solver to decide.
 */
#ifndef OMEN_PREDICT_QUICK_H
#define OMEN_PREDICT_QUICK_H

#include "predict/predict.h"
#include "predict/window.h"

/* Accesses of one thread that locks and must-happen-before do not tell apart. */
struct alike {
	uint32_t variable, location, thread, segment, lockset;
	uint8_t op;
	uint32_t *events; /* in the trace's order */
	uint32_t count, capacity;
};

/* Two places, and where in the window they may meet. */
struct candidate {
	uint32_t location[2];    /* the smaller first */
	uint32_t (*meetings)[2]; /* two of `alike` each */
	uint32_t count, capacity;
};

struct candidates {
	struct alike *alike;
	uint32_t alike_count, alike_capacity;
	struct candidate *list; /* in the order of their first meeting */
	uint32_t count, capacity;
	bool *wanted; /* by event from the window's start on: it is an access of a candidate */
};

/*
 * The candidates among the events from where the carry is to `end`, without the places that `pairs` knows, and without
 * the meetings that are before `fresh` as a whole: an earlier window had them.
 */
void candidates_find(struct candidates *c, const struct trace *t, const struct carry *carry, uint32_t end,
                     uint32_t fresh, const struct pairs *pairs);
void candidates_free(struct candidates *c);

#endif
