/*
 * The names of files that the program has changed, or may have changed.  Only files of this room use it.
 */
#ifndef OMEN_CHANGED_NAMES_H
#define OMEN_CHANGED_NAMES_H

#include <stdbool.h>

bool changed_names_has(const char *name);
void changed_names_add(const char *name);

#endif
