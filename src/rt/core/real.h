/* The C library's own functions behind those that are interposed. */
#ifndef OMEN_REAL_H
#define OMEN_REAL_H

#include <stddef.h>

/* Finds them by name; ends the process with a message if one is missing. */
void real_find(void **at, const char *const *names, size_t n);

#endif
