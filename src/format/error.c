#include "format/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(e->text, sizeof e->text, format, args);
	va_end(args);
	/* File names and strings of the program may contain line ends; an error stays one line. */
	for (char *c = e->text; *c; c++)
		if (*c == '\n' || *c == '\r')
			*c = ' ';
	return false;
}
