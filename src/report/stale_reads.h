/* Atomic loads that saw an older store: what a failure or a race under weak memory may have come from. */
#ifndef OMEN_STALE_READS_H
#define OMEN_STALE_READS_H

#include <stdio.h>

#include "abi/board.h"
#include "format/json.h"

/* The last few of them, those of these two threads if there are any. */
void print_stale(FILE *out, const struct board_result *r, uint32_t thread, uint32_t other);
/* All that are kept, the oldest first. */
void write_stale(struct json_writer *w, const struct board_result *r);

#endif
