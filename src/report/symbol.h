/*
 * Names for addresses of the program: functions, source lines, variables.
 *
 * In: an address and the modules of its execution.  Out: frames and names.  Callers: every report, and the commands.
 */
#ifndef OMEN_SYMBOL_H
#define OMEN_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/board.h"

#define STACK_FRAMES 128 /* enough for any stack of the board */

struct frame {
	uint64_t address;
	char function[256]; /* empty: unknown */
	char file[512];     /* empty: unknown */
	unsigned line, column;
	char module[256];      /* the file's name without directories; empty: unknown */
	uint64_t offset;       /* of the address in the module */
	const char *operation; /* of a site: "write", "loop", …; NULL: the address is plain code */
	bool own;              /* the program's own code: not from libc, libstdc++, libomen or a system header */
};

/*
 * The frames of a code address, the innermost inlined one first.  `address` is inside the instruction: for a return
 * address it is one less.  Returns how many there are: at least 1, which may have nothing but the address, and at most
 * `max`.
 */
size_t symbol_code(const struct board_result *r, uint64_t address, struct frame *out, size_t max);
/* The source place of an omen_site.  False if there is no site at the address. */
bool symbol_site(const struct board_result *r, uint64_t address, struct frame *out);
/* The source place of schedule_entry.where: a site or code. */
bool symbol_where(const struct board_result *r, uint64_t where, struct frame *out);
/* The variable at an address, from the symbol table: "name", "name+8".  False if there is none. */
bool symbol_data(const struct board_result *r, uint64_t address, char *out, size_t size);

/* The frames of a stack that help a reader, without those of Omen.  Returns how many there are. */
size_t symbol_stack(const struct board_result *r, const struct board_stack *s, struct frame *out, size_t max);
/* The same for the stack of an access, whose first address is the instruction itself. */
size_t symbol_access_stack(const struct board_result *r, const struct board_stack *s, struct frame *out, size_t max);
/* The innermost frame of the program's own code; NULL if there is none. */
const struct frame *symbol_own_frame(const struct frame *frames, size_t count);
/* Copies `text` and puts the name of the variable before each address that has one: "mutex `a` (0x…)". */
void symbol_annotate(const struct board_result *r, const char *text, char *out, size_t size);

#endif
