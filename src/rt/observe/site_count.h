/*
 * Counts how often each site is executed (`omen record --count`).  In: operations.  Out: board.counts.  For rt/start,
 * which calls count_start().
 */
#ifndef OMEN_SITE_COUNT_H
#define OMEN_SITE_COUNT_H

#include "rt/core/op.h"

/* The execution begins. */
void count_start(void);

extern const struct observer count_observer;

#endif
