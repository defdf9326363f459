/* Texts as small numbers: the same text is always the same number, counted from 0 in the order of appearance. */
#ifndef OMEN_INTERN_H
#define OMEN_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern {
	uint32_t count;
	uint64_t *start; /* start[id] … start[id + 1]: the text in `text`, a NUL at its end */
	char *text;
	size_t size, text_capacity, start_capacity;
	uint32_t *slots; /* hash table: id + 1, 0 is free */
	size_t slot_count;
};

#define INTERN_MOST (UINT32_MAX - 2)

/* The number of a text, a new one if it is new; INTERN_MOST where there are no more numbers. */
uint32_t intern(struct intern *n, const char *text, size_t size);
/* The text of a number; "?" of one that does not exist. */
const char *interned(const struct intern *n, uint32_t id);
void intern_free(struct intern *n);

#endif
