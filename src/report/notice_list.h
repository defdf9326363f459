/*
 * Notices: what is wrong in a program although no execution has failed because of it (board_notice).
 *
 * In: boards.  Out: a list without duplicates, ordered by seed, and the reports of it.  Callers: the commands that make
 * executions.
 */
#ifndef OMEN_NOTICE_LIST_H
#define OMEN_NOTICE_LIST_H

#include <stdio.h>

#include "abi/board.h"
#include "format/json.h"

struct notice {
	struct board_notice seen;
	struct board_result *result; /* of its execution: it has the modules */
	char judged[160];            /* what triage says of it; empty: nothing */
	size_t failure;              /* the number of the failure that shows it, from 1 on; 0: none does */
};

struct notices {
	struct notice **list;
	size_t count;
};

/* Adds the new ones of the board's notices from number `from` on; returns how many the board has. */
uint32_t notices_take(struct notices *all, const struct board *b, uint32_t from);
void notices_free(struct notices *all);

struct failures;
struct interleavings;
/*
 * Says of each inversion of locks whether an execution deadlocks there: one of the failures shows it, or none of
 * `executions` executions does, or none of all interleavings (`every_operation`).
 */
void notices_judge(struct notices *all, const struct failures *failures, uint64_t executions,
                   const struct interleavings *every);

const char *notice_name(const struct notice *n);
void notices_text(FILE *out, const struct notices *all);
void notices_json(struct json_writer *w, const struct notices *all);

#endif
