/*
 * Encounters of steps, collected over all interleavings of a program.
 *
 * Two accesses meet if nothing keeps them apart: both threads stand before theirs, and either can be the first.
 *
 * In: for each execution its outcome, its steps and its encounters (dpor_encounters.c reports them). Out:
 * order_effects.c sums them up. all_interleavings.c begins each execution.
 */
#ifndef OMEN_ENCOUNTERS_H
#define OMEN_ENCOUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/steps.h"

#define ENCOUNTER_STEPS 2048 /* different ones, over all executions */

/* Two steps of different threads that conflict, in their order, by the numbers of encounters_add_step(). */
struct encounter {
	uint32_t step[2], fiber[2];
	bool rewrites; /* one writes the value that is there already: what conflicts with it depends on others */
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

#endif
