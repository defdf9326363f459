/* What is wrong in a program although nothing has come of it (board_notice), on its way into a report. */
#ifndef OMEN_NOTICE_LIST_H
#define OMEN_NOTICE_LIST_H

#include <stdio.h>

#include "abi/board.h"
#include "format/json.h"

struct notice {
	struct board_notice seen;
	struct board_result *result; /* of the execution: its modules */
	char judged[160];            /* what triage says of it; empty: nothing */
	size_t failure;              /* that shows it, from 1 on; 0: none */
};

struct notices {
	struct notice **list;
	size_t count;
};

/* Adds those on the board that are new, from number `from` on; returns how many there are. */
uint32_t notices_take(struct notices *all, const struct board *b, uint32_t from);
void notices_free(struct notices *all);

/*
 * Says of each order of locks whether an execution deadlocks there: one of the failures, or none of so many executions,
 * which may be all that there are.
 */
struct failures;
struct interleavings;
void notices_judge(struct notices *all, const struct failures *failures, uint64_t executions,
                   const struct interleavings *every);

const char *notice_name(const struct notice *n);
void notices_text(FILE *out, const struct notices *all);
void notices_json(struct json_writer *w, const struct notices *all);

#endif
