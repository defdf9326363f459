/* All interleavings of a program, where there are few. */
#ifndef OMEN_ALL_INTERLEAVINGS_H
#define OMEN_ALL_INTERLEAVINGS_H

#include "classify/primaries.h"

/*
 * Executions that leave the recording at its first point, until there are no others; those worth a closer look are
 * added to `chosen`, `most` at most.  False: not all were made, which c->all tells.
 */
bool exhaust(struct classifier *c, const struct execution *recorded, uint64_t most, struct chosen *chosen,
             struct error *e);

#endif
