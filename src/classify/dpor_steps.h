/*
 * The steps of an execution while dpor.c and dpor_encounters.c work on them: what each step did, and what it comes
 * after. Called by these two only.
 *
 * What a step comes after is a vector clock: for each fiber, how many of its steps come before.
 */
#ifndef OMEN_DPOR_STEPS_H
#define OMEN_DPOR_STEPS_H

#include "classify/dpor.h"

#define NO_NODE SIZE_MAX

/* What one step did, or what a fiber is about to do: notes of the runtime. */
struct footprint {
	const struct step_note *notes;
	size_t count;
};

/* What a fiber does between two points. */
struct step {
	uint32_t fiber, number; /* `number`: its place among the steps of its fiber, from 1 on */
	struct footprint did;
	size_t node;     /* the choice of this step, or NO_NODE */
	bool has_choice; /* a choice is made within the step */
	bool ends;       /* it ends the execution and conflicts with everything */
	uint32_t clock[STEP_FIBERS];
};

struct executed_steps {
	struct step *list;
	size_t count, room;
};

static inline bool footprints_conflict(const struct footprint *x, const struct footprint *y)
{
	for (size_t i = 0; i < x->count; i++)
		for (size_t k = 0; k < y->count; k++)
			if (step_conflicts(&x->notes[i], &y->notes[k]))
				return true;
	return false;
}

/* The first note of this kind; NULL: there is none. */
const struct step_note *footprint_find(const struct footprint *f, uint32_t kind);

static inline void clock_join(uint32_t *to, const uint32_t *from)
{
	for (size_t i = 0; i < STEP_FIBERS; i++)
		if (from[i] > to[i])
			to[i] = from[i];
}

static inline bool clock_has(const uint32_t *clock, const struct step *e) { return clock[e->fiber] >= e->number; }

/*
 * What the fiber's step comes after in any case: the fiber's last step, the steps that enabled the fiber, and the ends
 * of the threads that it joins.
 */
void step_causes(const struct executed_steps *all, size_t j, uint32_t fiber, const struct footprint *did,
                 uint32_t *clock);

/* The steps of the execution that was read last. */
const struct executed_steps *dpor_steps(const struct dpor *d);

#endif
