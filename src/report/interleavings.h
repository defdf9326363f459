/*
 * The result of executing all interleavings of an input.
 *
 * In: classify fills it.  Out: the sentence and the JSON members about all interleavings.
 */
#ifndef OMEN_INTERLEAVINGS_H
#define OMEN_INTERLEAVINGS_H

#include <stdio.h>

#include "abi/board.h"
#include "format/file.h"
#include "format/json.h"

/* The executions that end in the same way and print the same. */
struct outcome {
	uint32_t ending;
	int32_t status;
	uint64_t count;
	uint64_t tolerated; /* the violations that they continue after: board.tolerated */
	uint64_t signature; /* of a violation */
	uint64_t like;      /* the first outcome that differs from this one at most in the order of lines */
	struct bytes output[2];
};

/* A place of the program, with the kind of its access, comes before another one; 0: none. */
struct order {
	uint64_t first, second;
};

struct orders {
	struct order *list; /* a hash table */
	size_t count, room;
};

struct effects;

struct interleavings {
	bool complete;
	bool fault;     /* an execution has an outcome that none of them has: they are not all */
	uint64_t count; /* no two of them differ only in the order of steps that do not conflict */
	struct outcome *outcomes;
	size_t noutcomes;
	struct orders orders;    /* the orders of accesses to the same memory that were seen: access_orders.h */
	struct effects *effects; /* what these orders decide: order_effects.h, which also frees them */
	char why[100];           /* if not complete, the reason; empty: classify did not try */
};

void interleavings_free(struct interleavings *x);
/* Whether all end well and print the same. */
bool interleavings_agree(const struct interleavings *x);
void interleavings_text(FILE *out, const struct interleavings *x);
void interleavings_json(struct json_writer *w, const struct interleavings *x);

#endif
