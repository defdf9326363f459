/* What rt/memory calls in rooms above it. */
#ifndef OMEN_ABOVE_MEMORY_H
#define OMEN_ABOVE_MEMORY_H

#include "rt/core/rt.h"

/* rt/threads: the size in bytes of a synchronisation object of this kind. */
uint64_t object_size(enum object_kind kind);

#endif
