/* What all interleavings of a program come to, where all of them were executed. */
#ifndef OMEN_INTERLEAVINGS_H
#define OMEN_INTERLEAVINGS_H

#include <stdio.h>

#include "trace/board.h"
#include "trace/file.h"
#include "trace/json.h"

/* Executions that cannot be told apart by how they end and what they print. */
struct outcome {
	uint32_t ending;
	int32_t status;
	uint64_t count;
	struct bytes output[2];
};

struct interleavings {
	bool complete;
	uint64_t count; /* no two of them differ only in the order of steps that have nothing to do with each other */
	struct outcome *outcomes;
	size_t noutcomes;
	char why[100]; /* not complete: what is in the way; empty: it was not tried */
};

void interleavings_free(struct interleavings *x);
/* All end well, and print the same. */
bool interleavings_agree(const struct interleavings *x);
void interleavings_text(FILE *out, const struct interleavings *x);
void interleavings_json(struct json_writer *w, const struct interleavings *x);

#endif
