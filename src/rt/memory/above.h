/* What rt/memory asks of rooms above it. */
#ifndef OMEN_ABOVE_MEMORY_H
#define OMEN_ABOVE_MEMORY_H

#include "rt/core/rt.h"

/* rt/threads: how many bytes an object of this kind has. */
uint64_t object_size(enum object_kind kind);

#endif
