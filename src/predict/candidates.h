/*
 * The quick check: which pairs of places could race as far as locks and must-happen-before tell. What does not pass it
 * cannot race; what does is for the solver to decide.
 */
#ifndef OMEN_CANDIDATES_H
#define OMEN_CANDIDATES_H

#include "predict/tiers.h"
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
	bool cut;     /* not all were found: they are too many, or it took too long */
};

/* Which are asked for. */
struct scope {
	uint32_t end;              /* of the window */
	uint32_t fresh;            /* meetings that are before it as a whole were in an earlier window */
	uint32_t beyond;           /* those that windows of this size have are known, 0: none */
	const struct pairs *known; /* places that are */
	double deadline;           /* 0: none, and no other limit either */
};

/* The candidates among the events from where the carry is on. */
void candidates_find(struct candidates *c, const struct trace *t, const struct carry *carry, const struct scope *scope);
void candidates_free(struct candidates *c);

#endif
