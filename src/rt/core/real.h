/* Finds the C library's own functions behind the interposed ones.  Every room that interposes functions may call it. */
#ifndef OMEN_REAL_H
#define OMEN_REAL_H

#include <stddef.h>

/* Looks the functions up by name.  Ends the process with a message if one is missing. */
void real_find(void **at, const char *const *names, size_t n);

#endif
