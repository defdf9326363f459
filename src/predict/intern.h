/*
 * Texts as small numbers: equal texts have the same number. Numbers count from 0, in the order of the first use.
 *
 * In:  texts; they may have NUL bytes.
 * Out: their numbers, and back.
 * Called by whatever builds or reads a trace.
 */
#ifndef OMEN_INTERN_H
#define OMEN_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern {
	uint32_t count;
	uint64_t *start; /* start[id] … start[id + 1]: where the text is in `text`, with a NUL at its end */
	char *text;
	size_t size, text_capacity, start_capacity;
	uint32_t *slots; /* hash table: id + 1, 0 is free */
	size_t slot_count;
};

#define INTERN_MOST (UINT32_MAX - 2)

/* The number of a text; a new one if the text is new. INTERN_MOST if no number is left. */
uint32_t intern(struct intern *n, const char *text, size_t size);
/* The text of a number; "?" if the number does not exist. */
const char *interned(const struct intern *n, uint32_t id);
void intern_free(struct intern *n);

#endif
