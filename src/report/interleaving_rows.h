/*
 * The interleaving of the execution that shows a verdict, as rows: one line of source that one thread executes between
 * two switches, with what it does there.
 *
 * In: a race with a verdict and its moments.  Out: rows in the order of time.  Caller: interleaving_picture.c.
 */
#ifndef OMEN_INTERLEAVING_ROWS_H
#define OMEN_INTERLEAVING_ROWS_H

#include "report/race_list.h"

struct row {
	uint32_t thread;
	/* "read", "write", "update", "free", "lock", "unlock", "wait", "signal", "broadcast", "post", "arrive", "end",
	   "output", or the name of the consequence */
	const char *kind;
	struct frame place;
	bool placed;    /* `place` is known */
	char text[120]; /* the source line */
	char note[160]; /* "read 1, wrote 2" */
	char end[80];   /* "<- use after free": only in the last row */
	uint32_t values;
	uint64_t value, object; /* the last value in the note, and the address of its object */
	size_t kept;            /* if the note leaves out values, how much of it stays when the next one comes */
	bool racy;              /* has an access of the race, made by one of its two threads if these are known */
	bool matters;           /* a thread waits for this at the end of the execution */
};

struct rows {
	const struct race *race;
	const struct board_result *result;  /* of the execution that shows the verdict */
	const struct board_result *symbols; /* the result that has the modules: one that ends well has none */
	struct row *list;
	size_t count;
	size_t pair[2]; /* the indices of the race's accesses in the moments, as in struct verdict */
};

/* Has no rows where the moments are not known.  The caller frees `list`. */
struct rows interleaving_rows(const struct race *r);

#endif
