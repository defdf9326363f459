/*
 * The directory that a command leaves behind.
 *
 * In:  executions and reports.
 * Out: an evidence directory (docs/format.md), and where an earlier one is.
 * Called by the commands.
 *
 * New contents go into a stage inside the directory and take the place of the old ones at the end. So a full disk or a
 * crash leaves what was there before. A recording grows in its stage: if it is killed, what the stage has counts from
 * then on. Only Omen's own files are ever removed.
 */
#ifndef OMEN_EVIDENCE_DIR_H
#define OMEN_EVIDENCE_DIR_H

#include "run/standard_streams.h"

struct evidence {
	char *directory, *stage;
	int lock; /* a lock on the stage, as long as its maker lives */
};

/* One execution to write. */
struct kept {
	const struct manifest *manifest;
	const struct bytes *schedule;
	const struct input *input;
	const struct bytes *output; /* stdout and stderr, or NULL */
	const char *report;         /* text, or NULL */
	size_t report_size;
	/* Where the stage has the same execution already, or NULL: shares its files. */
	const char *same_as;
	/* Where the stage has the log and input to share, or NULL. */
	const char *log_of;
	bool in_place; /* all but manifest and report is there already */
};

/* Whether `directory` may be written: it is new, empty, or written by Omen. False: wrong use. */
bool evidence_check(const char *directory, struct error *e);
/* Makes the directory and its stage. */
bool evidence_begin(struct evidence *v, const char *directory, struct error *e);
/* Links the files of another recording into the stage, except its manifest. */
bool evidence_take(const struct evidence *v, const char *from, struct error *e);
/* Removes the stages of processes that died before they finished them. */
void evidence_clear(const struct evidence *v);
/* Writes an execution to `under` in the stage: "failures/1", or "" for the stage itself. */
bool evidence_execution(const struct evidence *v, const char *under, const struct kept *k, struct error *e);
/* Replaces the old contents by those of the stage. */
bool evidence_commit(struct evidence *v, struct error *e);
/* Removes a part of the stage. */
void evidence_drop(const struct evidence *v, const char *name);
/* Removes the stage. */
void evidence_abort(struct evidence *v);
/* Leaves the stage in place for evidence_find(). */
void evidence_leave(struct evidence *v);

/*
 * The directory of the execution that `directory` stands for: the stage of an unfinished recording, or itself.
 * malloc'ed.
 */
char *evidence_find(const char *directory);

#endif
