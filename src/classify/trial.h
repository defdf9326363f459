/*
 * A trial: one execution that was made to try something, and what came of it, as far as verdicts need it.
 *
 * In: the board after the execution (replayer.c fills the trial). Out: whether two trials ended and printed the same.
 * Called by this room only.
 */
#ifndef OMEN_TRIAL_H
#define OMEN_TRIAL_H

#include "report/verdict.h"

struct trial {
	uint32_t order, outcome; /* enum plan_order, enum plan_outcome */
	uint32_t ending;         /* enum ending */
	int32_t status;
	uint64_t signature;                        /* of a violation */
	uint64_t state, world, touched;            /* as in struct board_plan */
	uint64_t invented, early_reads;            /* as on the board */
	uint64_t slept;                            /* as in struct board_plan */
	uint64_t tolerated;                        /* as on the board */
	bool out_of_order;                         /* it had to keep the order of all races and did not */
	uint64_t words_read[WORDS_READ / 64];      /* as in struct board_plan */
	struct bytes printed[2];                   /* standard output and error */
	uint64_t printed_size[2], printed_hash[2]; /* of all that was printed, which may be more than `printed` keeps */
	uint64_t outputs_hash[SAMENESSES];         /* of all other outputs */
	struct board_output *outputs;              /* those that have a row on the board */
	uint32_t noutputs, outputs_lost;
	struct bytes *kept;          /* the bytes of each of them; NULL: not asked for (plan.keep_outputs) */
	struct trial *plain;         /* the output without what comes from clocks and ids; NULL: not known */
	struct execution *execution; /* only of trials that may become evidence */
};

struct trials {
	struct trial *list;
	size_t count;
};

/* Ending, status and signature only. */
struct trial trial_of_result(const struct board_result *r);
void trial_free(struct trial *t);
void trial_free_plain(struct trial *t);
void trials_free(struct trials *all);

/* A violation. A bad exit status counts as output; an ending that says nothing is neither. */
bool trial_is_violation(const struct trial *t);
/* The same violation. Of deadlocks and endless loops it does not matter which thread stands where. */
bool trial_same_violation(const struct trial *a, const struct trial *b);
/* It came to its own end. */
bool trial_is_complete(const struct trial *t);
/* One of them was ended while it worked, as the recorded part was: as far as both go they print the same. */
bool trial_agrees(const struct trial *a, const struct trial *b);

/* Takes the output of the execution on the board. */
void trial_take_output(struct trial *t, const struct board *b);
/* Copies the result and the output, not the execution, the kept bytes or the plain form. */
void trial_copy_output(struct trial *to, const struct trial *from);

/* The parts of an output, which are compared one by one. If both trials have a plain form, that is compared. */
enum part { PART_STDOUT, PART_STDERR, PART_OTHER, PARTS };
bool trial_same_part(const struct trial *a, const struct trial *b, enum part part, enum sameness how);
/* The same ending and status; also all parts; also all parts, with the lines in any order. */
bool trial_same_end(const struct trial *a, const struct trial *b);
bool trial_same_output(const struct trial *a, const struct trial *b);
bool trial_same_lines(const struct trial *a, const struct trial *b);

#endif
