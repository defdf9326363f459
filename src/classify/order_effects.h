/*
 * What the order of two accesses decides, where all interleavings were executed (docs/design.md, "What all
 * interleavings say of a race").
 *
 * Two accesses meet if nothing keeps them apart: both threads stand before theirs, and either can be the first. Their
 * order decides how an execution ends if another execution, with the same past, these two reversed and all else in the
 * same order, ends otherwise.
 *
 * In: for each execution its steps and its encounters (dpor.c reports them). Out: an effect for each pair of places.
 * all_interleavings.c and interleaving_proof.c call this.
 */
#ifndef OMEN_ORDER_EFFECTS_H
#define OMEN_ORDER_EFFECTS_H

#include "classify/trial.h"
#include "report/interleavings.h"
#include "abi/steps.h"

#define ENCOUNTER_STEPS 2048 /* different ones, over all executions */

/* Two steps of different threads that conflict, in their order, by the numbers of encounters_add_step(). */
struct encounter {
	uint32_t step[2], fiber[2];
	bool rewrites; /* one of them writes the value that is there already: what conflicts with it depends on others
	                */
	bool meets;    /* nothing else orders the two; only then the members below are set */
	uint64_t past; /* a hash of all that happened before either of them */
	const uint32_t *past_steps; /* the steps of that past */
	size_t npast_steps;
	uint64_t key[2]; /* the places and kinds of their accesses to memory: encounter_key(); 0: no such access */
};

struct violation {
	uint32_t ending;
	uint64_t signature;
};

/* What the order of two places decides. */
struct effect {
	uint64_t key[2];
	bool unclear; /* not known: for some past no execution has the other order, or there is too much */
	bool prints;  /* the output or the exit status */
	struct violation *violations; /* the violations that come in one order only */
	uint32_t nviolations;
	uint64_t passed;       /* the same of violations that executions continue past, as bits of the board */
	uint32_t execution[2]; /* that show the worst of it: one with the effect, one with the other order */
	uint64_t first;        /* key of the access that is first in the execution with the effect; 0: not known */
	struct trial shown[2]; /* the same two executions, made again */
};

struct effects {
	struct effect *list;
	size_t count;
};

struct encounters;

/* A place of the program, and whether it writes there; 0: not known. */
uint64_t encounter_key(uint64_t place, bool write);

struct encounters *encounters_new(void);
void encounters_free(struct encounters *m);

/*
 * Begins another execution, which ended as the outcome with this number; `fails`: its violation, or NULL. Its steps
 * show two more things. What a thread reads and then writes back is one update: whoever meets the read meets the write.
 * And a memory error at an access is also caused by the step that freed the memory, whatever else could have come
 * first.
 */
void encounters_begin(struct encounters *m, uint32_t outcome, const struct violation *fails);
void encounters_add_steps(struct encounters *m, const struct step_note *log, uint64_t count);
/*
 * Notes that the execution has this step of a thread. Other executions that have it are recognised by the hash of what
 * it does and how many equal steps came before. Returns its number.
 */
uint32_t encounters_add_step(struct encounters *m, uint32_t fiber, uint64_t hash);
/* Notes all that comes before a step of an execution that fails. */
void encounters_add_past(struct encounters *m, uint32_t step, const uint32_t *past_steps, size_t npast_steps);
/* Notes that the execution has this encounter. */
void encounters_add(struct encounters *m, const struct encounter *what);

/* Sums up over all executions. */
struct effects *encounters_sum(struct encounters *m, const struct interleavings *all);

/* What is known of two accesses; NULL: they never meet. */
const struct effect *effects_find(const struct effects *all, const struct board_access *a,
                                  const struct board_access *b);
/* The order decides some violation; it decides this violation. */
bool effect_fails(const struct effect *e);
bool effect_decides(const struct effect *e, uint32_t ending, uint64_t signature);
void effects_free(struct effects *all);

#endif
