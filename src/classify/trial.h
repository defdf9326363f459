/* What came of one execution, as far as verdicts need it. */
#ifndef OMEN_TRIAL_H
#define OMEN_TRIAL_H

#include "report/verdict.h"

struct trial {
	uint32_t order, outcome, ending;
	int32_t status;
	uint64_t signature, state, touched, invented;
	struct bytes output[2];
	struct execution *execution; /* of those that may become evidence */
};

struct trials {
	struct trial *list;
	size_t count;
};

void trial_free(struct trial *t);
void trials_free(struct trials *all);

/* A violation; an exit status is output, and what could not be told is neither. */
bool trial_is_violation(const struct trial *t);
/* The same one: of those that come where nobody gets on, it does not matter who stands where. */
bool trial_same_violation(const struct trial *a, const struct trial *b);
/* It came to its own end. */
bool trial_is_complete(const struct trial *t);

/* The same output, ending and status; the same lines, in whatever order. */
bool trial_same_output(const struct trial *a, const struct trial *b);
bool trial_same_lines(const struct trial *a, const struct trial *b);

/* Puts the first line that differs, of both, into the verdict. */
void trial_difference(struct verdict *v, const struct trial *primary, const struct trial *other);

#endif
