/* Why a race does no harm, where that is plain from what happened to its bytes. Never a reason for a verdict. */
#ifndef OMEN_HARMLESS_PATTERN_H
#define OMEN_HARMLESS_PATTERN_H

#include "report/verdict.h"

/* What the executions with a race did to its bytes. */
struct history;

/* Adds what an execution did to the bytes of these two accesses. */
void history_add(struct history **h, const struct board_access access[2], const struct execution *x);
enum pattern history_pattern(const struct history *h);
/* A double check with this lock held. */
bool history_checks(const struct history *h, uint64_t lock);
/* Each execution that has both accesses, at the same bytes, has the read behind the write somewhere. */
bool history_waits(const struct history *h);
void history_free(struct history *h);

/*
 * Nobody can tell in which order these accesses were made: all write the same, or all that is read is added to, and
 * goes nowhere else.
 */
bool history_is_mute(const struct history *h, const struct board_result *r);

#endif
