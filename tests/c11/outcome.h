/* The visible result of an execution, and sets of such results. */
#ifndef C11_OUTCOME_H
#define C11_OUTCOME_H

#include <stddef.h>

#include "program.h"

struct outcome {
	int read[THREADS][OPS]; /* for each operation that reads its value, else 0 */
	int last[ATOMICS];      /* the final value of each location */
	unsigned raced;         /* plain locations, a bit each */
};

struct outcomes {
	struct outcome *at;
	size_t n;
	size_t slots; /* a power of two, more than twice n */
	size_t *slot; /* by hash: 1 + index */
};

bool outcomes_have(const struct outcomes *s, const struct outcome *o);
/* Each only once. */
void outcomes_add(struct outcomes *s, const struct outcome *o);
bool outcomes_subset(const struct outcomes *part, const struct outcomes *all);
void outcomes_free(struct outcomes *s);

enum { LINE_SIZE = 512 };
/* The line that the program in C prints: "T0: 0 1 ; T1: ; x=1 y=1", and " p raced" if it did. */
void outcome_line(const struct program *p, const struct outcome *o, char line[LINE_SIZE]);

#endif
