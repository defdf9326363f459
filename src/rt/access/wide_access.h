/* Accesses wider than what the machine does at once, where accesses are points.  For the slow hooks. */
#ifndef OMEN_WIDE_ACCESS_H
#define OMEN_WIDE_ACCESS_H

#include "rt/core/rt.h"

struct omen_site;

/* Makes a load of `size` bytes piece by piece, each with a point.  False: nothing is done, the load is one access. */
bool pieces_load(const void *address, void *value, size_t size, const struct omen_site *site);

#endif
