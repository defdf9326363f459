/* Programs whose behaviour is known from the literature and the standard, and the tests of the model against them. */
#ifndef C11_LITMUS_H
#define C11_LITMUS_H

#include "program.h"

struct litmus {
	const char *name, *program;
	const char *outcome; /* a pattern for its line, as the shell's */
	unsigned allowed;    /* in these models, a bit each */
};

extern const struct litmus litmus[]; /* up to one without a name */

/* Says "ok NAME" or "FAIL NAME: why" of each test; false if one failed. */
bool self_test(void);

#endif
