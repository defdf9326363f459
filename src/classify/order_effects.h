/*
 * What the order of two accesses decides, where all interleavings were executed (docs/design.md, "What all
 * interleavings say of a race").
 *
 * Their order decides how an execution ends if another execution, with the same past, these two reversed and all else
 * in the same order, ends otherwise.
 *
 * In: the encounters of all executions, and how each execution ended. Out: an effect for each pair of places.
 * all_interleavings.c and interleaving_proof.c call this.
 */
#ifndef OMEN_ORDER_EFFECTS_H
#define OMEN_ORDER_EFFECTS_H

#include "classify/encounters.h"
#include "classify/trial.h"
#include "report/interleavings.h"

/* What the order of two places decides. */
struct effect {
	uint64_t key[2];
	bool unclear; /* not known: for some past no execution has the other order, or there is too much */
	bool prints;  /* the output or the exit status */
	struct violation *violations; /* the violations that come in one order only */
	uint32_t nviolations;
	uint64_t tolerated;    /* the same of violations that executions continue past, as bits of the board */
	uint32_t execution[2]; /* that show the worst of it: one with the effect, one with the other order */
	uint64_t first;        /* key of the access that is first in the execution with the effect; 0: not known */
	struct trial shown[2]; /* the same two executions, made again */
};

struct effects {
	struct effect *list;
	size_t count;
};

/* Sums up the encounters of all executions. */
struct effects *effects_sum(struct encounters *m, const struct interleavings *all);

/* What is known of two accesses; NULL: they never meet. */
const struct effect *effects_find(const struct effects *all, const struct board_access *a,
                                  const struct board_access *b);
/* The order decides some violation; it decides this violation. */
bool effect_fails(const struct effect *e);
bool effect_decides(const struct effect *e, uint32_t ending, uint64_t signature);
void effects_free(struct effects *all);

#endif
