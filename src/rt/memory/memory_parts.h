/* What memory_check.c, which keeps the states of memory, and memory_report.c, which reports accesses and frees, share.
 */
#ifndef OMEN_MEMORY_PARTS_H
#define OMEN_MEMORY_PARTS_H

#include "rt/memory/memory_check.h"

/* States of 8 bytes. 1 to 7: only the first 1 to 7 of them are fine. */
enum { FINE = MEMORY_FINE, BEFORE = 0xf1, BEHIND = 0xf2, FREED = 0xf3, DESTROYED = 0xf4, ENDED = 0xf5 };

/* Where a block was allocated, or freed. */
struct trace {
	uint32_t fiber, depth;
	uint64_t pc[];
};

struct block {
	uint64_t address; /* 0: a free slot of the table */
	uint64_t size;
	struct trace *made, *freed;
};

/* The block that begins there; one is made where none is known. */
struct block *memory_block_at(uint64_t address);
/*
 * The block that these 8 bytes belong to, found by the BEFORE state in front of it.  NULL if that is too far away, or
 * none.
 */
struct block *memory_block_below(uint64_t address);
void memory_show_trace(struct board_stack *out, const struct trace *t);

/* Is the address in code or a variable of the program, or of a library? */
bool memory_is_in_program(uint64_t address);

struct access {
	uint64_t address, size;
	const char *kind; /* "read", "write" */
};

/* The access is bad, at byte `bad`: ends the execution. */
void memory_fail_access(const struct access *a, uint64_t bad) __attribute__((noreturn));
/* The same, with how far the access lies behind the end of what it has left. */
void memory_fail_behind(const struct access *a, uint64_t address, const struct block *b, const char *what,
                        const char *of, uint64_t end) __attribute__((noreturn));

#endif
