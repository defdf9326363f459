/* --invariant 'stock.c:stock >= 0': a global variable of the program that is always to be compared so with a number. */
#ifndef OMEN_INVARIANT_H
#define OMEN_INVARIANT_H

#include <stdbool.h>

#include "abi/board.h"
#include "format/error.h"

struct invariant_text {
	char file[64], variable[64];
	uint32_t operator_;
	const char *number;
};

/* The parts of it; false if it is none. */
bool invariant_parse(const char *text, struct invariant_text *out);

/* With the variable of the program at `path`; false: `e` says what is wrong. */
bool invariant_find(const char *text, const char *path, struct board_invariant *out, struct error *e);

#endif
