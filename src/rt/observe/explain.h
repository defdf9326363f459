/*
 * Explains races: a replay collects everything about the accesses to the bytes that raced.  In: operations, and the
 * bytes to watch (shadow/watch.h).  Out: explained races, touches and threads on the board.  For rt/start only.
 */
#ifndef OMEN_EXPLAIN_H
#define OMEN_EXPLAIN_H

#include "rt/clock/above.h"
#include "rt/core/op.h"

/* The running fiber has made the access that it announced last: notes the written value. */
void explain_settle(void);

/*
 * Call this before any access.  In this mode the cells hold nothing else, so they mark the watched bytes: the inline
 * test of every other access succeeds, with a stamp of 0.  The neighbouring cells are marked, too: the test looks there
 * if a structure is not aligned as its type says.
 */
void explain_start(void);

extern const struct observer explain_observer;

#endif
