/*
 * The different standard outputs of an exploration.
 *
 * In: boards.  Out: each output once, with how many executions wrote it.  Callers: explore and its reports.
 */
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
	uint64_t lost; /* executions with outputs for which the board had no room */
};

/* Adds the new output of the execution on the board.  `text` belongs to the table from here on. */
void outputs_take(struct outputs *all, const struct board *b, struct bytes text);
/* Adds how often the board has seen each output; call it once, when nothing more comes from this board. */
void outputs_count(struct outputs *all, const struct board *b);
/* Sorts: the most frequent output comes first. */
void outputs_sort(struct outputs *all);
void outputs_free(struct outputs *all);

#endif
