/*
 * What the order of two accesses decides, where all interleavings were executed (docs/design.md, "What all
 * interleavings say of a race").
 *
 * Two accesses meet where nothing keeps them apart: both threads stand before theirs, and either can be the first.
 * Their order decides how an execution ends if another one, with the same past, the two the other way round and all
 * else in the same order, ends otherwise.
 */
#ifndef OMEN_ORDER_EFFECTS_H
#define OMEN_ORDER_EFFECTS_H

#include "classify/execution_result.h"
#include "report/interleavings.h"
#include "abi/steps.h"

#define ENCOUNTER_STEPS 2048 /* different ones, of all executions together */

/* Two steps of different threads that conflict, in their order: numbers of encounters_step(). */
struct encounter {
	uint32_t step[2], fiber[2];
	bool rewrites; /* one of them writes what stands there already: what conflicts with it depends on others */
	bool meets;    /* nothing else keeps them in it; then also: */
	uint64_t past; /* a hash of all that had happened before either of them, */
	const uint32_t *had; /* the steps that were, and */
	size_t nhad;
	uint64_t key[2]; /* the places and kinds of their accesses to memory: encounter_key(); 0: it is none */
};

struct violation {
	uint32_t ending;
	uint64_t signature;
};

/* What the order of two places decides. */
struct effect {
	uint64_t key[2];
	bool unclear; /* not known: for some past, no execution has the other order; or it is too much */
	bool prints;  /* what is printed, or the exit status */
	struct violation *violations; /* that come in one order only */
	uint32_t nviolations;
	uint64_t passed;       /* the same of what executions go on behind, as on the board */
	uint32_t execution[2]; /* that show the worst of it: one that has it, one in the other order */
	uint64_t first; /* the key of the access that is the first of the two in the one that has it; 0: not known */
	struct trial shown[2]; /* the same, once they were made again */
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
 * Another execution, which ended as the outcome with this number; `fails`: so, or NULL.  Its steps, in whose order two
 * more things are seen.  What a thread reads and then writes back is one update: whoever meets the read meets the
 * write.  And a memory error at an access is the doing of whoever has freed the memory, whatever else could have been
 * first.
 */
void encounters_begin(struct encounters *m, uint32_t outcome, const struct violation *fails);
void encounters_add_steps(struct encounters *m, const struct step_note *log, uint64_t count);
/*
 * It has this step of a thread; other executions that have it, too, are known by the hash: of what it does, and the
 * how- manieth of these it is.  Its number.
 */
uint32_t encounters_step(struct encounters *m, uint32_t fiber, uint64_t hash);
/* All that comes before a step of an execution that fails. */
void encounters_add_past(struct encounters *m, uint32_t step, const uint32_t *had, size_t nhad);
/* It has these two. */
void encounters_add(struct encounters *m, const struct encounter *what);

/* What all of them say. */
struct effects *encounters_sum(struct encounters *m, const struct interleavings *all);

/* What is known of two accesses; NULL: they never met. */
const struct effect *effects_find(const struct effects *all, const struct board_access *a,
                                  const struct board_access *b);
/* The order decides a violation, or this one. */
bool effect_fails(const struct effect *e);
bool effect_decides(const struct effect *e, uint32_t ending, uint64_t signature);
void effects_free(struct effects *all);

#endif
