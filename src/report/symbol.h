/* From addresses of the program to names: functions, source lines, variables. */
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
	const char *operation; /* of a site: "write", "loop", …; NULL for plain code */
	bool own;              /* the program's own code: not of libc, libstdc++, libomen, a system header */
};

/*
 * The frames of a code address, innermost inlined one first. `address` lies inside the instruction: for a return
 * address, one less. Returns at least 1 (perhaps with nothing but the address in it), at most `max`.
 */
size_t symbol_code(const struct board_result *r, uint64_t address, struct frame *out, size_t max);
/* The source place of an omen_site. False if the address is not one. */
bool symbol_site(const struct board_result *r, uint64_t address, struct frame *out);
/* A place as schedule entries have it: site or code. */
bool symbol_where(const struct board_result *r, uint64_t where, struct frame *out);
/* The variable at an address: "name", "name+8". False if none is known. */
bool symbol_data(const struct board_result *r, uint64_t address, char *out, size_t size);

/* A whole stack as a user wants it, without Omen's own frames. Returns how many frames stand in `out`. */
size_t symbol_stack(const struct board_result *r, const struct board_stack *s, struct frame *out, size_t max);
/* The same for the stack of an access, whose first address is that of the instruction. */
size_t symbol_access_stack(const struct board_result *r, const struct board_stack *s, struct frame *out, size_t max);
/* The innermost frame of the program's own code; NULL if there is none. */
const struct frame *symbol_own_frame(const struct frame *frames, size_t count);
/* Copies `text`, putting the name of the variable before each address 0x… that has one: "mutex `a` (0x…)". */
void symbol_annotate(const struct board_result *r, const char *text, char *out, size_t size);

#endif
