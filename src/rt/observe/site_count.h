/* How often each site is executed (`omen record --count`): an observer that fills board.counts. */
#ifndef OMEN_SITE_COUNT_H
#define OMEN_SITE_COUNT_H

#include "rt/core/op.h"

/* The execution begins. */
void count_start(void);

extern const struct observer count_observer;

#endif
