/*
 * Tiny concurrent programs: a few threads, each of which does a few atomic operations one after another.  Nothing
 * branches, so a program is a table; its outcome is the values that its operations read and the final values.
 *
 * As text, a thread is a list of operations and threads stand side by side:
 *
 *     store x 1 rlx, store y 1 rel | load y acq, load x rlx
 *
 * x, y and z are atomic and 0 before the threads start; p and q are plain ("read p", "write p 1").
 */
#ifndef C11_PROGRAM_H
#define C11_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 4, OPS = 6, ATOMICS = 3, PLAINS = 2, LOCATIONS = ATOMICS + PLAINS, NOWHERE = -1 };

#define LOCATION_NAMES "xyzpq"

enum order { PLAIN, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

enum kind { LOAD, STORE, EXCHANGE, ADD, CAS, FENCE, READ, WRITE, KINDS };

struct op {
	enum kind kind;
	enum order order, failure; /* failure: the order of a compare-exchange that fails */
	int location;
	int value;    /* stored or added */
	int expected; /* by a compare-exchange */
};

struct program {
	unsigned number; /* the seed it was made from */
	int threads, atomics, plains;
	int ops[THREADS];
	struct op op[THREADS][OPS];
};

/* Does the operation read an atomic location?  Then the value that it reads is part of the outcome. */
bool op_reads(const struct op *op);

/* Always the same program for the same number. plain: with accesses to plain locations, which may race. */
struct program program_generate(unsigned number, bool plain);
/* False if the text is not a program. */
bool program_parse(struct program *p, const char *text);

void print_text(FILE *out, const struct program *p);
/* One C program for all of them: argv[1] chooses one by number; it prints the outcome as outcome.h describes. */
void print_source(FILE *out, const struct program *programs, unsigned n);

#endif
