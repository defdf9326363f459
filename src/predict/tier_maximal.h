/*
 * The last tier: every race that some schedule of the same program must have, as far as one trace tells, window by
 * window. What it finds has a witness, and each was replayed by the trace's rules before it is told.
 */
#ifndef OMEN_TIER_MAXIMAL_H
#define OMEN_TIER_MAXIMAL_H

#include "predict/tiers.h"

struct maximal_options {
	uint32_t window; /* events in a window, 0: MAXIMAL_WINDOW; the next one starts in its middle */
	double seconds;  /* for each pair of places in a window, 0: MAXIMAL_SECONDS */
	bool far;        /* what is further apart than a window is looked for … */
	/* … and, if there is some, the window is doubled while all together has taken less than this. */
	double grow_seconds;
	/* Called now and then, may be NULL. False: nothing more is to be asked, what is left is not decided. */
	bool (*progress)(void *context, uint32_t event, size_t asked, size_t found);
	void *context;
};

#define MAXIMAL_WINDOW  10000
#define MAXIMAL_SECONDS 60.0

struct maximal_result {
	size_t windows;
	uint32_t window;        /* events in the largest that all of the trace was looked at by */
	size_t asked;           /* questions to the solver: each is one pair of places in one window */
	struct pairs passed;    /* the quick check; without those that were known */
	struct pairs undecided; /* not decided in the time there was, nor found elsewhere; with an event pair each */
	struct pairs far;       /* could race where they are further apart than that; with an event pair each */
	bool far_more;          /* there may be others */
	bool stopped;           /* before all was looked at */
	size_t broken; /* witnesses that did not pass their check: a fault of Omen's; none of them is told as a race */
	char first_broken[1024];
};

void predict_maximal(const struct trace *t, struct pairs *pairs, const struct maximal_options *options,
                     struct maximal_result *result);
void maximal_result_free(struct maximal_result *r);

#endif
