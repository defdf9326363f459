/*
 * Races that the user does not want in the report.
 *
 * In: text in ThreadSanitizer's syntax: lines `type:pattern`, comments after #.  A pattern matches anywhere in a name;
 * `*` is any text, `^` and `$` are the ends of the name.  Out: whether a race is suppressed.  Callers: the commands.
 */
#ifndef OMEN_SUPPRESSIONS_H
#define OMEN_SUPPRESSIONS_H

#include "report/race_list.h"

struct suppressions {
	struct suppression *list;
	size_t count;
};

/* Adds the lines of a text.  `name`: the name of its file, for messages.  False: a line is wrong, `e` says which. */
bool suppressions_read(struct suppressions *s, const char *name, const char *text, struct error *e);
/* Adds the lines of a file. */
bool suppressions_load(struct suppressions *s, const char *path, struct error *e);
/* Whether a pattern matches a name. */
bool suppression_matches(const char *pattern, const char *name);
bool race_is_suppressed(const struct suppressions *s, const struct race *r);
void suppressions_free(struct suppressions *s);

#endif
