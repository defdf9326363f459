/* Programs whose behaviour the literature and the standard state, and the tests of the model against them. */
#ifndef C11_LITMUS_H
#define C11_LITMUS_H

#include "program.h"

struct litmus {
	const char *name, *program;
	const char *outcome; /* a pattern for its line, as in the shell */
	unsigned allowed;    /* in these models, a bit each */
};

extern const struct litmus litmus[]; /* ends with one without a name */

/* Prints "ok NAME" or "FAIL NAME: why" for each test; false if one failed. */
bool self_test(void);

#endif
