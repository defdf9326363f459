/* What went wrong, in one line a user can act on. Rooms fill it; only src/cmd prints it. */
#ifndef OMEN_ERROR_H
#define OMEN_ERROR_H

#include <stdbool.h>

struct error {
	char text[1024];
};

/* Writes the line (without "omen: " and newline); always returns false, so that it can end a failing function. */
bool error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
