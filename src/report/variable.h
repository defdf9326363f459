/*
 * The global and static variables of the program, from its debug information.
 *
 * In: an address, or the name of a variable.  Out: a name, or an address.  Callers: reports, and the options that name
 * variables.
 */
#ifndef OMEN_VARIABLE_H
#define OMEN_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/board.h"

struct variable {
	char name[192]; /* down to the bytes: "config.limits[3].max" */
	uint64_t size;  /* of the whole variable */
	char file[256]; /* where it is declared; empty: unknown */
	unsigned line;
	bool is_static;     /* a function's static variable */
	char function[128]; /* of this one; empty: unknown */
};

/* The variable that holds these bytes.  Without debug information it has the symbol table's name, "config+24". */
bool variable_at(const struct board_result *r, uint64_t address, uint64_t bytes, struct variable *out);
/* The name of the lock at an address.  False if it has none. */
bool lock_name(const struct board_result *r, uint64_t address, char *out, size_t size);

/* A variable that is a number, or a pointer. */
struct number {
	uint64_t address; /* in the program's file */
	uint64_t size;    /* 0: it is no number, or too large */
	bool is_signed, is_real;
};

/*
 * Finds the global variable `name` that the program at `path` declares in a file named `file`.  Returns how many there
 * are.
 */
size_t variable_number(const char *path, const char *file, const char *name, struct number *out);

#endif
