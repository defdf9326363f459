/* What came of one execution, as far as verdicts need it. */
#ifndef OMEN_EXECUTION_RESULT_H
#define OMEN_EXECUTION_RESULT_H

#include "report/verdict.h"

struct trial {
	uint32_t order, outcome, ending;
	int32_t status;
	uint64_t signature, state, world, touched, invented, early, slept;
	uint64_t passed;                /* as on the board */
	bool strayed;                   /* it was to keep the order of all races, and did not */
	uint64_t went_by[WENT_BY / 64]; /* as in struct board_plan */
	struct bytes output[2];
	uint64_t printed_size[2], printed_hash[2]; /* all of that, where it was more than is kept */
	uint64_t given_hash[SAMENESSES];
	struct board_given *given; /* the streams and files that stand on the board, */
	uint32_t ngiven, given_lost;
	struct bytes *kept;  /* of each of them, what it is; NULL: that was not asked for (plan.gives) */
	struct trial *plain; /* the same output without what comes from clocks and ids; NULL: that is not known */
	struct execution *execution; /* of those that may become evidence */
};

struct trials {
	struct trial *list;
	size_t count;
};

void trial_free(struct trial *t);
void trial_free_plain(struct trial *t);
void trials_free(struct trials *all);

/* A violation; an exit status is output, and what could not be told is neither. */
bool trial_is_violation(const struct trial *t);
/* The same one: of those that come where nobody gets on, it does not matter who stands where. */
bool trial_same_violation(const struct trial *a, const struct trial *b);
/* It came to its own end. */
bool trial_is_complete(const struct trial *t);
/* One of them ended while it was at work, as the recorded part did: as far as both go they print the same. */
bool trial_agrees(const struct trial *a, const struct trial *b);

/* Takes what the execution on the board has given to the outside. */
void trial_take_given(struct trial *t, const struct board *b);
/* The same as far as its output goes. */
void trial_copy_output(struct trial *to, const struct trial *from);

/* What is compared, each for itself; of two that have a plain form, that. */
enum part { PART_OUT, PART_ERR, PART_GIVEN, PARTS };
bool trial_same_part(const struct trial *a, const struct trial *b, enum part part, enum sameness how);
/* The same ending and status, and all parts; the same lines, in whatever order. */
bool trial_same_end(const struct trial *a, const struct trial *b);
bool trial_same_output(const struct trial *a, const struct trial *b);
bool trial_same_lines(const struct trial *a, const struct trial *b);

#endif
