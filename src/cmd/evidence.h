/*
 * The directory that a command leaves behind.
 *
 * New contents are staged inside it and take the place of the old ones at the end, so a full disk or a crash leaves
 * what was there before. Only Omen's own files are ever removed.
 */
#ifndef OMEN_EVIDENCE_H
#define OMEN_EVIDENCE_H

#include "cmd/streams.h"

struct evidence {
	char *directory, *stage;
};

/* One execution to keep. */
struct kept {
	const struct manifest *manifest;
	const struct bytes *schedule;
	const struct input *input;
	const struct bytes *output; /* stdout and stderr, or NULL */
	const char *report;         /* text, or NULL */
	size_t report_size;
	const char *same_as; /* the place in the stage of the same execution, or NULL: its files are shared */
};

/* Whether `directory` may be written: it is new, empty, or was written by Omen. False is wrong use. */
bool evidence_check(const char *directory, struct error *e);
/* Makes the directory and its stage. */
bool evidence_begin(struct evidence *v, const char *directory, struct error *e);
/* Writes an execution to `under` ("failures/1", "" for the directory itself) of the stage. */
bool evidence_execution(const struct evidence *v, const char *under, const struct kept *k, struct error *e);
/* The stage's contents replace the old ones. */
bool evidence_commit(struct evidence *v, struct error *e);
/* Removes the stage. */
void evidence_abort(struct evidence *v);

#endif
