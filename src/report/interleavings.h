/* What all interleavings of a program come to, where all of them were executed. */
#ifndef OMEN_INTERLEAVINGS_H
#define OMEN_INTERLEAVINGS_H

#include <stdio.h>

#include "abi/board.h"
#include "format/file.h"
#include "format/json.h"

/* Executions that cannot be told apart by how they end and what they print. */
struct outcome {
	uint32_t ending;
	int32_t status;
	uint64_t count;
	uint64_t passed;    /* violations that they go on behind, as on the board */
	uint64_t signature; /* of a violation */
	uint64_t like;      /* the first outcome that differs from this one in nothing but the order of lines */
	struct bytes output[2];
};

/* A place of the program, with what it does there, before another one; 0: none. */
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
	bool fault;     /* something was found that none of them has: they are not all */
	uint64_t count; /* no two of them differ only in the order of steps that have nothing to do with each other */
	struct outcome *outcomes;
	size_t noutcomes;
	struct orders orders;    /* of accesses to the same memory: access_orders.h */
	struct effects *effects; /* what these orders decide: order_effects.h, which also frees them */
	char why[100];           /* not complete: what is in the way; empty: it was not tried */
};

void interleavings_free(struct interleavings *x);
/* All end well, and print the same. */
bool interleavings_agree(const struct interleavings *x);
void interleavings_text(FILE *out, const struct interleavings *x);
void interleavings_json(struct json_writer *w, const struct interleavings *x);

#endif
