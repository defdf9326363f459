/*
 * The files of the program under test: the program and its libraries, with their symbols and debug information.
 *
 * In: a path, or an address of an execution.  Out: the opened file, which stays open, because a report asks for many
 * addresses of few files.  Callers: the other files of this room.
 */
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
	const uint8_t *bytes; /* the whole file; NULL: it cannot be read */
	size_t size;
	struct timespec built; /* when it was last written */
	Elf *elf;
	Dwarf *dwarf;
	struct unit_range *units; /* the compilation units, by their addresses */
	size_t unit_count;
	bool own;                    /* the program's own code; false: a library of the system, or libomen */
	struct variables *variables; /* variable.c makes it when it first needs it */
	struct module *next;
};

/* The module of an address, and the address in its file; NULL if there is none. */
struct module *module_of(const struct board_result *r, uint64_t address, uint64_t *in_file);
/* The module with this path.  Never NULL; it is empty if the file cannot be read. */
struct module *module_open(const char *path);
/*
 * The bytes that the file has for an address of it, and how many the segment has from there on (`available`).  NULL:
 * the file has none.
 */
const uint8_t *module_bytes(const struct module *m, uint64_t in_file, size_t *available);
/* A path without its directories. */
const char *base_name(const char *path);

#endif
