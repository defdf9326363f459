/* What rt/clock asks of rooms above it. */
#ifndef OMEN_ABOVE_CLOCK_H
#define OMEN_ABOVE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Segment ids are used up: forget accesses that can race with nothing any more, and set the bits of the ids that are
 * still in use (clock_keep).  shadow_sweep returns false if it cannot look through the program's memory.
 */
bool shadow_sweep(uint64_t *kept);  /* rt/shadow */
void weak_sweep(uint64_t *kept);    /* rt/atomics */
void explain_sweep(uint64_t *kept); /* rt/observe */

#endif
