/* Global and static variables of the program, from its debug information. */
#ifndef OMEN_VARIABLE_H
#define OMEN_VARIABLE_H

#include <stdbool.h>

#include "trace/board.h"

struct variable {
	char name[192]; /* with the way to the bytes: "config.limits[3].max" */
	uint64_t size;  /* of the whole variable */
	char file[256]; /* where it is declared; empty: unknown */
	unsigned line;
	bool is_static;     /* a function's static variable */
	char function[128]; /* of this one; empty: unknown */
};

/* The variable that holds these bytes. Without debug information the symbol table's name, "config+24". */
bool variable_at(const struct board_result *r, uint64_t address, uint64_t bytes, struct variable *out);

#endif
