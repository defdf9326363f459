/* What rt/shadow calls in rooms above it. */
#ifndef OMEN_ABOVE_SHADOW_H
#define OMEN_ABOVE_SHADOW_H

#include <stdint.h>

/* rt/order: these 8 bytes begin a new life.  Forgets the synchronisation objects that were in them. */
void order_forget(uint64_t address);

#endif
