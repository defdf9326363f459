/* What encounters.c has collected, for order_effects.c to sum up. Nobody else includes this. */
#ifndef OMEN_ENCOUNTERS_DATA_H
#define OMEN_ENCOUNTERS_DATA_H

#include "classify/encounters.h"

#define ENCOUNTER_PAIRS 4096 /* of these steps, pairs that conflict */
#define NO_EXAMPLE      UINT32_MAX

/* The steps that come before one step. */
struct predecessors {
	uint32_t step;
	uint64_t past_steps[ENCOUNTER_STEPS / 64];
};

/* An execution: which steps it has and in which order those that conflict, one bit each. */
struct traced_execution {
	uint32_t outcome;
	struct violation fails; /* ending 0: it does not fail */
	bool waits;             /* a thread waits for a stream inside the C library, so its steps are not recognised */
	struct predecessors *past; /* of an execution that fails */
	size_t npast;
	uint64_t steps[ENCOUNTER_STEPS / 64];
	uint64_t has_pair[ENCOUNTER_PAIRS / 64]; /* the pair has an order here */
	uint64_t reversed[ENCOUNTER_PAIRS / 64]; /* which is not the one that it was first seen in */
};

struct known_step {
	uint64_t hash;
	uint32_t fiber;
};

struct step_pair {
	uint32_t step[2];
};

/* An execution that has one order of an encounter. */
struct example {
	uint32_t execution, next;
};

/* All encounters of the same two steps with the same past. In order 0 the access of the lower thread comes first. */
struct encounter_group {
	uint64_t past; /* 0: the slot is free */
	uint64_t key[2];
	uint32_t pair, fiber[2];
	uint32_t examples[2]; /* one list for each order */
	uint32_t rewrites;    /* the orders in which one of the two writes the value that is there already */
	uint64_t past_steps[ENCOUNTER_STEPS / 64];
};

/* A read and a write by one thread to the same word, with none of its accesses in between. */
struct update {
	uint64_t read, write;
};

/* An execution ended at the second of two accesses, in memory that the first had freed. */
struct misuse {
	uint64_t key[2];
	struct violation violation;
	uint32_t execution;
};

struct encounters {
	struct traced_execution *traces;
	size_t ntraces;
	struct known_step steps[ENCOUNTER_STEPS];
	struct step_pair pairs[ENCOUNTER_PAIRS];
	uint32_t nsteps, npairs;
	struct encounter_group *list; /* a hash table */
	size_t count, room;
	struct example *examples;
	uint32_t nexamples;
	struct update *updates;
	size_t nupdates;
	struct misuse *misuses;
	size_t nmisuses;
	uint64_t checks;
	bool too_many;
};

static inline bool has_bit(const uint64_t *bits, uint32_t i) { return bits[i / 64] >> i % 64 & 1; }
static inline void set_bit(uint64_t *bits, uint32_t i) { bits[i / 64] |= 1ul << i % 64; }

/* Adds an execution with this order to a group. */
void encounters_add_example(struct encounters *m, struct encounter_group *e, int order, size_t execution);

#endif
