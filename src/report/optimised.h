/* What a race is in the program as the compiler makes it (omen cc --as-optimised), beside what it is as written. */
#ifndef OMEN_OPTIMISED_H
#define OMEN_OPTIMISED_H

#include <stdio.h>

#include "report/verdict.h"
#include "format/json.h"

struct race;

struct optimised {
	bool found; /* it is there, too */
	enum verdict_kind kind;
	char *evidence; /* of the execution that shows it, or NULL */
};

/* The other program as a whole. */
struct optimised_program {
	const char *program;
	char *data;          /* where its report is */
	size_t races, extra; /* those of it, and those that the program as written does not have */
};

void optimised_free(struct optimised *o);

void optimised_text(FILE *out, const struct race *r);
void optimised_json(struct json_writer *w, const struct race *r);
void optimised_program_text(FILE *out, const struct optimised_program *p);
void optimised_program_json(struct json_writer *w, const struct optimised_program *p);

#endif
