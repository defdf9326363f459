/* The program under test as a file: where it is, whether `omen cc` built it, which build it is. */
#ifndef OMEN_PROGRAM_H
#define OMEN_PROGRAM_H

#include "format/error.h"

struct program {
	char *path;     /* what to pass to execve */
	char *absolute; /* the same file from anywhere */
	char *build_id; /* of the linker, or size and checksum of the file */
};

/* Finds `name` as a shell would and checks that Omen can run it. Failures are all wrong use. */
bool program_find(const char *name, struct program *p, struct error *e);
/* The same for a path that is already known, called `name` in errors. */
bool program_check(const char *path, const char *name, struct program *p, struct error *e);
void program_free(struct program *p);

#endif
