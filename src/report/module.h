/* The files of the program under test, opened once and kept: a report asks for many addresses of few files. */
#ifndef OMEN_MODULE_H
#define OMEN_MODULE_H

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>
#include <time.h>

#include "abi/board.h"

struct unit_range {
	Dwarf_Addr start, end;
	Dwarf_Die unit;
};

struct module {
	char *path;
	const uint8_t *bytes; /* the whole file, NULL if it cannot be read */
	size_t size;
	struct timespec built; /* when it was last written */
	Elf *elf;
	Dwarf *dwarf;
	struct unit_range *units;
	size_t unit_count;
	bool own;
	struct variables *variables; /* of variable.c, once it was asked */
	struct module *next;
};

/* The module of an address, and the address in its file; NULL if there is none. */
struct module *module_of(const struct board_result *r, uint64_t address, uint64_t *in_file);
/* The module behind a path. Never NULL, but perhaps with nothing in it. */
struct module *module_open(const char *path);
/* "cache::put": the name of the declaration behind a concrete or inlined function or a variable, with what it is in. */
void symbol_scoped_name(const Dwarf_Die *concrete, char *out, size_t size);
/* A path without its directories. */
const char *base_name(const char *path);

#endif
