/* An execution run again to explain its races: everything about the accesses to the bytes that raced. */
#ifndef OMEN_EXPLAIN_H
#define OMEN_EXPLAIN_H

#include "rt/clock/above.h"
#include "rt/core/op.h"

/* The running fiber has made the access that it told about last. */
void explain_settle(void);

/*
 * Before anything is accessed.  Nothing else is in cells here, so they can say where watched bytes are: the inline test
 * of all other accesses succeeds with a stamp of 0.  The cells beside them are marked as well: there the test looks if
 * a structure is not aligned as its type says.
 */
void explain_start(void);

extern const struct observer explain_observer;

#endif
