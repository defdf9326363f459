/* What rt/shadow asks of rooms above it. */
#ifndef OMEN_ABOVE_SHADOW_H
#define OMEN_ABOVE_SHADOW_H

#include <stdint.h>

/* rt/order: the 8 bytes at `address` begin a new life: what was there orders nothing any more. */
void order_forget(uint64_t address);

#endif
