/*
 * The files that a call names.  In: a call and its arguments.  Out: one name for each file: absolute and without
 * links, as far as the file system shows them.  The world and the model use it too.
 */
#ifndef OMEN_PATHS_H
#define OMEN_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct path_arg {
	long directory; /* a descriptor, or AT_FDCWD */
	const char *path;
	bool follow; /* at the end of the path a link is followed */
};

#define PATHS_MAX 2
#define PATH_SIZE 4096

/* How many files the call names, 0 to PATHS_MAX; only calls with a PATH in kernel/syscalls.h are known. */
uint32_t paths_of_call(long nr, const long arg[6], struct path_arg out[PATHS_MAX]);

/* Does the call change what stands under these names, or may it? */
bool paths_are_changed(long nr, const long arg[6]);

/* The absolute name, with its NUL.  Returns its length without the NUL. */
size_t path_resolve(const struct path_arg *n, char out[PATH_SIZE]);

/* The name of an open file.  Returns 0 if it has none. */
size_t path_of_descriptor(long fd, char out[PATH_SIZE]);

#endif
