/* The interposed synchronisation functions: what the rest of the runtime needs of them. */
#ifndef OMEN_SYNC_H
#define OMEN_SYNC_H

#include "rt/ending/above.h"
#include <stdint.h>

/* Finds the C library's own functions; ends the process with a message if one is missing. */
void sync_start(void);

/* The count of a semaphore. */
uint64_t sync_tokens(const void *semaphore);

#endif
