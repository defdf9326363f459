/* What rt/clock asks of rooms above it. */
#ifndef OMEN_ABOVE_CLOCK_H
#define OMEN_ABOVE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Segment ids are used up: forget what is past, and set the bits of those that are still in use (clock_keep).  The
 * first returns whether anything was forgotten.
 */
bool shadow_sweep(uint64_t *kept);  /* rt/shadow */
void weak_sweep(uint64_t *kept);    /* rt/atomics */
void explain_sweep(uint64_t *kept); /* rt/observe */

#endif
