/*
 * The program under test as a file: where it is, whether `omen cc` built it, and which build it is.
 *
 * In:  a name or path.
 * Out: paths and build id, or why Omen cannot run it.
 * Called by session.c and load_recording.c.
 */
#ifndef OMEN_PROGRAM_H
#define OMEN_PROGRAM_H

#include "format/error.h"

struct program {
	char *path;     /* what to pass to execve */
	char *absolute; /* the same file, from any directory */
	char *build_id; /* the linker's, or size and checksum of the file */
};

/* Finds `name` as a shell would, and checks that Omen can run it. False: wrong use. */
bool program_find(const char *name, struct program *p, struct error *e);
/* The same for a known path, which error messages call `name`. */
bool program_check(const char *path, const char *name, struct program *p, struct error *e);
void program_free(struct program *p);

#endif
