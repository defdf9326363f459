/*
 * What becomes of each race in the program as the optimiser makes it (omen cc --as-optimised).
 *
 * In: the comparison of the two programs (cmd/compare_optimised.h).  Out: text and JSON.  Callers: the reports.
 */
#ifndef OMEN_OPTIMISED_H
#define OMEN_OPTIMISED_H

#include <stdio.h>

#include "report/verdict.h"
#include "format/json.h"

struct race;

struct optimised {
	bool found; /* the optimised program has the race too */
	enum verdict_kind kind;
	char *evidence; /* the directory of the execution that shows it; NULL: none does */
};

/* The optimised program as a whole. */
struct optimised_program {
	const char *program;
	char *data;          /* the directory of its report */
	size_t races, extra; /* all its races, and those that the program as written does not have */
};

void optimised_free(struct optimised *o);

void optimised_text(FILE *out, const struct race *r);
void optimised_json(struct json_writer *w, const struct race *r);
void optimised_program_text(FILE *out, const struct optimised_program *p);
void optimised_program_json(struct json_writer *w, const struct optimised_program *p);

#endif
