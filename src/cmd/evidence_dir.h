/*
 * The directory that a command leaves behind.
 *
 * New contents are staged inside it and take the place of the old ones at the end, so a full disk or a crash leaves
 * what was there before. A recording grows in its stage: what a killed one leaves there is what counts from then on.
 * Only Omen's own files are ever removed.
 */
#ifndef OMEN_EVIDENCE_DIR_H
#define OMEN_EVIDENCE_DIR_H

#include "run/standard_streams.h"

struct evidence {
	char *directory, *stage;
	int lock; /* on the stage, while its maker lives */
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
	const char *log_of;  /* the place in the stage whose log and input it shares, or NULL */
	bool in_place;       /* but for manifest and report it is there already */
};

/* Whether `directory` may be written: it is new, empty, or was written by Omen. False is wrong use. */
bool evidence_check(const char *directory, struct error *e);
/* Makes the directory and its stage. */
bool evidence_begin(struct evidence *v, const char *directory, struct error *e);
/* Puts the files of a recording that is elsewhere into the stage, but for the manifest. */
bool evidence_take(const struct evidence *v, const char *from, struct error *e);
/* Removes the stages of others that did not live to finish them. */
void evidence_clear(const struct evidence *v);
/* Writes an execution to `under` ("failures/1", "" for the directory itself) of the stage. */
bool evidence_execution(const struct evidence *v, const char *under, const struct kept *k, struct error *e);
/* The stage's contents replace the old ones. */
bool evidence_commit(struct evidence *v, struct error *e);
/* Takes a part of the stage back. */
void evidence_drop(const struct evidence *v, const char *name);
/* Removes the stage. */
void evidence_abort(struct evidence *v);
/* Leaves the stage for evidence_find(). */
void evidence_leave(struct evidence *v);

/* Where the execution is that `directory` stands for: an unfinished recording's stage, or itself. malloc'ed. */
char *evidence_find(const char *directory);

#endif
