/* What was predicted, as text and as JSON. */
#ifndef OMEN_PREDICTION_REPORT_H
#define OMEN_PREDICTION_REPORT_H

#include <stdio.h>

#include "predict/tier_maximal.h"
#include "report/race_list.h"

/*
 * A race of the recorded execution itself that the rules of traces do not make
 * one: another race, or an atomic that does not synchronise, keeps the two
 * accesses in their order.
 */
struct recorded_race {
	const struct race *race;
	const char *evidence; /* or NULL */
	const char *kind[2];
	bool atomic[2];
	char variable[256], place[2][600];
};

/* Whether a race was seen in an execution that was made as its witness says, and what is known of it from there. */
struct confirmation {
	bool confirmed;
	const struct race *race; /* as it is reported; NULL: it is not */
	int first;               /* which of its accesses is the pair's first */
	char id[32];             /* that reports have for it */
	/* What is known of the two events without it. */
	uint32_t thread[2];
	struct frame frame[2];
	char why[240];        /* not */
	const char *evidence; /* where it is kept, or NULL */
	char place[2][600];   /* of the two events, in the program's own source; empty:
	                         not known better */
};

struct prediction {
	const char *name; /* of the trace, as typed */
	const struct trace *trace;
	struct pairs pairs;
	enum tier tier;             /* the last one that was asked */
	double seconds[TIER_COUNT]; /* of each */
	double read_seconds;
	struct maximal_result maximal;            /* if it was asked */
	const struct confirmation *confirmations; /* by pair; NULL: a trace that cannot be run */
	const struct recorded_race *seen;
	size_t seen_count;
	uint64_t lost_events; /* of the end of the execution, for which there was no
	                         room */
	bool lost_words;      /* not all memory that threads share was looked at */
};

/* Asks the tiers up to this one. */
void prediction_run(struct prediction *p, enum tier last, const struct maximal_options *options);
void prediction_free(struct prediction *p);

/* The races, one a line, and a last line of summary. */
void prediction_text(FILE *out, const struct prediction *p);
void prediction_json(FILE *out, const struct prediction *p);

#endif
