/*
 * Atomic loads that saw an older store than the newest one: a possible cause of a failure or race under weak memory.
 *
 * In: the result of an execution.  Out: text and JSON.  Callers: the reports of failures and races.
 */
#ifndef OMEN_STALE_READS_H
#define OMEN_STALE_READS_H

#include <stdio.h>

#include "abi/board.h"
#include "format/json.h"

/* The last few of these loads; if any are by these two threads, only those. */
void stale_reads_text(FILE *out, const struct board_result *r, uint32_t thread, uint32_t other);
/* All that the board keeps, the oldest first. */
void stale_reads_json(struct json_writer *w, const struct board_result *r);

#endif
