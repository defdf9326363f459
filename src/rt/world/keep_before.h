/*
 * What the program is about to change is kept in the log as it was before, for executions that leave the recording and
 * take another way.  In: a call that is about to be made.  Out: entries of the kind WORLD_BEFORE, and the names of the
 * files that the call is about.  Only the recorder uses it.
 */
#ifndef OMEN_KEEP_BEFORE_H
#define OMEN_KEEP_BEFORE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/kernel/paths.h"

struct named_files {
	char name[PATHS_MAX][PATH_SIZE];
	uint32_t size[PATHS_MAX], count; /* sizes with the NUL */
	bool incomplete;                 /* the first is a directory with too much below it to keep */
};

/* Before the call, as the names may be gone after it. */
void keep_named(struct named_files *named, long nr, const long arg[6]);
/* The directory was moved, and not everything below it was kept. */
void keep_incomplete(const char *name, uint32_t size);

#endif
