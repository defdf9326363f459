/* What the executions of an exploration wrote to standard output, each text once. */
#ifndef OMEN_OUTPUT_TABLE_H
#define OMEN_OUTPUT_TABLE_H

#include "abi/board.h"
#include "format/file.h"

struct output {
	uint64_t hash, count;
	uint64_t seed; /* of an execution that wrote it */
	struct bytes text;
};

struct outputs {
	struct output *list;
	size_t count;
	uint64_t lost; /* executions whose output there was no room for */
};

/* The execution on the board has written something new; `text` is taken over. */
void outputs_take(struct outputs *all, const struct board *b, struct bytes text);
/* A board is about to go: adds how often it has seen each. */
void outputs_count(struct outputs *all, const struct board *b);
/* The most frequent first. */
void outputs_sort(struct outputs *all);
void outputs_free(struct outputs *all);

#endif
