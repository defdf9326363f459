/*
 * Recognises why a race does no harm, where its accesses show it plainly. A pattern explains a verdict and is never the
 * reason for one.
 *
 * In: all accesses to the bytes of a race, from the explaining replays of primaries. Out: a pattern, and a few
 * questions that the verdict asks. Called by classify.c and race_tally.c.
 */
#ifndef OMEN_HARMLESS_PATTERN_H
#define OMEN_HARMLESS_PATTERN_H

#include "report/verdict.h"

/* What the executions with a race did to its bytes. */
struct history;

/* Adds what an execution did to the bytes of these two accesses. */
void history_add(struct history **h, const struct board_access access[2], const struct execution *x);
enum pattern history_pattern(const struct history *h);
/* The pattern is a double check with this lock held. */
bool history_checks(const struct history *h, uint64_t lock);
/* In each execution that has both accesses at the same bytes, some read comes after the write. */
bool history_waits(const struct history *h);
void history_free(struct history *h);

/*
 * No thread can observe the order of these accesses: all write the same value, or every value that is read is only
 * added to and written back.
 */
bool history_is_mute(const struct history *h, const struct board_result *r);

#endif
