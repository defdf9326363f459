/* What was predicted, as text and as JSON. */
#ifndef OMEN_PREDICT_TELL_H
#define OMEN_PREDICT_TELL_H

#include <stdio.h>

#include "predict/maximal.h"

/* Whether a race was seen in an execution that was made as its witness says. */
struct confirmation {
	bool confirmed;
	char why[240];  /* not */
	char *evidence; /* where it is kept, or NULL */
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
};

/* Asks the tiers up to this one. */
void prediction_run(struct prediction *p, enum tier last, const struct maximal_options *options);
void prediction_free(struct prediction *p);

/* The races, one a line, and a last line of summary. */
void tell_text(FILE *out, const struct prediction *p);
void tell_json(FILE *out, const struct prediction *p);

#endif
