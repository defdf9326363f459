/* What rt/clock calls in rooms above it. */
#ifndef OMEN_ABOVE_CLOCK_H
#define OMEN_ABOVE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The segment ids are used up.  Each function forgets accesses that can no longer race with anything, and sets the bits
 * of the ids that are still in use (clock_keep).  shadow_sweep returns false if it cannot read the program's memory
 * map.
 */
bool shadow_sweep(uint64_t *kept);        /* rt/shadow */
void store_history_sweep(uint64_t *kept); /* rt/atomics */
void explain_sweep(uint64_t *kept);       /* rt/observe */

#endif
