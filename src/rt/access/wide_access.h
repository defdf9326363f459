/* Accesses that the machine does not make at once, while accesses are points.  Only the slow hooks may call it. */
#ifndef OMEN_WIDE_ACCESS_H
#define OMEN_WIDE_ACCESS_H

#include "rt/core/rt.h"

struct omen_site;

/* Makes a load of `size` bytes piece by piece, each with a point.  False: nothing is done, the load is one access. */
bool wide_access_load(const void *address, void *value, size_t size, const struct omen_site *site);

#endif
