/*
 * --invariant 'stock.c:stock >= 0': a global variable of the program and a number to which it always compares so.
 *
 * In:  the text of the option; the program.
 * Out: where the variable is, and what to compare it with.
 * Called by options.c (syntax) and session.c.
 */
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

/* Splits the text into its parts. False: the syntax is wrong. */
bool invariant_parse(const char *text, struct invariant_text *out);

/* Finds the variable in the program at `path`. False: `e` says what is wrong. */
bool invariant_find(const char *text, const char *path, struct board_invariant *out, struct error *e);

#endif
