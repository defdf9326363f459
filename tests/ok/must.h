/* must(condition): like assert, but active with NDEBUG too, so that the condition may contain calls. */
#ifndef MUST_H
#define MUST_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define must(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: not true: %s (errno: %s)\n", __FILE__, __LINE__, #condition,           \
			        strerror(errno));                                                                      \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

#endif
