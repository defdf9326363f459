/* What was predicted, as text and as JSON. */
#ifndef OMEN_PREDICT_TELL_H
#define OMEN_PREDICT_TELL_H

#include <stdio.h>

#include "predict/maximal.h"

struct prediction {
	const char *name; /* of the trace, as typed */
	const struct trace *trace;
	struct pairs pairs;
	enum tier tier;             /* the last one that was asked */
	double seconds[TIER_COUNT]; /* of each */
	double read_seconds;
	struct maximal_result maximal; /* if it was asked */
};

/* The races, one a line, and a last line of summary. */
void tell_text(FILE *out, const struct prediction *p);
void tell_json(FILE *out, const struct prediction *p);

#endif
