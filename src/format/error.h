/*
 * An error message for the user: one line that says what was tried, on what, and what to do. Every room of the tool may
 * fill one; only src/cmd prints it.
 */
#ifndef OMEN_ERROR_H
#define OMEN_ERROR_H

#include <stdbool.h>

struct error {
	char text[1024];
};

/*
 * Formats the message, without "omen: " and newline. Always returns false, so that a failing function can end with it.
 */
bool error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
