/*
 * The last tier: finds every race that each program with this trace must have, as far as both accesses are in one
 * window.
 *
 * In:  a trace, and the races that the tiers before found.
 * Out: further races, each with a witness that witness_check() has accepted; and what stays open.
 * Called by prediction.c and the tests.
 */
#ifndef OMEN_TIER_MAXIMAL_H
#define OMEN_TIER_MAXIMAL_H

#include "predict/place_pairs.h"

struct maximal_options {
	uint32_t window; /* events in a window, 0: MAXIMAL_WINDOW; the next one starts in its middle */
	double seconds;  /* for each pair of places in a window, 0: MAXIMAL_SECONDS */
	bool far;        /* look for pairs that are further apart than a window … */
	/* … and while there are some, double the window, until the tier has taken this long. */
	double grow_seconds;
	/* Called now and then; NULL: not at all. False: ask nothing more, the rest stays undecided. */
	bool (*progress)(void *context, uint32_t event, size_t asked, size_t found);
	void *context;
};

#define MAXIMAL_WINDOW  10000
#define MAXIMAL_SECONDS 60.0

struct maximal_result {
	size_t windows;
	/* The number of events in the largest window by which the whole trace was searched. */
	uint32_t window;
	size_t asked;        /* questions to the solver; each is one pair of places in one window */
	struct pairs passed; /* pairs of places that passed the quick check, without known races */
	/* Pairs of places that were not decided in time, nor found elsewhere; with a pair of events each. */
	struct pairs undecided;
	/* Pairs of places that could race where they are further apart than a window; with a pair of events each. */
	struct pairs far;
	bool far_more; /* `far` may lack some */
	bool stopped;  /* `progress` ended the search early */
	/* Witnesses that their check refused: a fault of Omen's. None of them is reported as a race. */
	size_t broken;
	char first_broken[1024];
};

void predict_maximal(const struct trace *t, struct pairs *pairs, const struct maximal_options *options,
                     struct maximal_result *result);
void maximal_result_free(struct maximal_result *r);

#endif
