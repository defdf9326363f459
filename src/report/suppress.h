/*
 * Races that somebody does not want to hear of, in ThreadSanitizer's syntax: lines `type:pattern`, comments after #.
 * A pattern stands anywhere in a name; `*` is any text, `^` and `$` are the name's ends.
 */
#ifndef OMEN_SUPPRESS_H
#define OMEN_SUPPRESS_H

#include "report/race_list.h"

struct suppressions {
	struct suppression *list;
	size_t count;
};

/* Adds the lines of a text; `name` is the file's, for the message. False: a line is wrong, `e` says which. */
bool suppressions_read(struct suppressions *s, const char *name, const char *text, struct error *e);
/* The same from a file. */
bool suppressions_load(struct suppressions *s, const char *path, struct error *e);
/* Whether a pattern is in a name. */
bool suppression_matches(const char *pattern, const char *name);
bool race_is_suppressed(const struct suppressions *s, const struct race *r);
void suppressions_free(struct suppressions *s);

#endif
