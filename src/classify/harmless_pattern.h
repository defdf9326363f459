/*
 * Recognises why a race does no harm, where its accesses show it plainly. A pattern explains a verdict and is never the
 * reason for one.
 *
 * In: all accesses to the bytes of a race, from the explaining replays of primaries. Out: a pattern, and a few
 * questions that the verdict asks. Called by race_tally.c, race_failures.c, try_primaries.c and instance_probe.c.
 */
#ifndef OMEN_HARMLESS_PATTERN_H
#define OMEN_HARMLESS_PATTERN_H

#include "report/verdict.h"

/* What the executions with a race did to its bytes. */
struct access_history;

/* Adds what an execution did to the bytes of these two accesses. */
void access_history_add(struct access_history **h, const struct board_access access[2], const struct execution *x);
enum pattern access_history_pattern(const struct access_history *h);
/* The pattern is a double check with this lock held. */
bool access_history_double_checks(const struct access_history *h, uint64_t lock);
/* In each execution that has both accesses at the same bytes, some read comes after the write. */
bool access_history_read_follows(const struct access_history *h);
void access_history_free(struct access_history *h);

/*
 * No thread can observe the order of these accesses: all write the same value, or every value that is read is only
 * added to and written back.
 */
bool access_history_hides_order(const struct access_history *h, const struct board_result *r);

#endif
