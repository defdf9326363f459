/* What rt/order calls in rooms above it. */
#ifndef OMEN_ABOVE_ORDER_H
#define OMEN_ABOVE_ORDER_H

#include <stdint.h>

/* rt/atomics: frees what is known of an atomic location; NULL is allowed. */
struct location;
void store_history_drop(struct location *l);

#endif
