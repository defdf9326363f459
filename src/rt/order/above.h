/* What rt/order asks of rooms above it. */
#ifndef OMEN_ABOVE_ORDER_H
#define OMEN_ABOVE_ORDER_H

#include <stdint.h>

/* rt/atomics: the location is forgotten. */
struct location;
void weak_drop(struct location *l);

#endif
