/* The files that a call names, and their one name each: absolute, without links, as far as the file system tells. */
#ifndef OMEN_PATHS_H
#define OMEN_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct path_arg {
	long directory; /* a descriptor, or AT_FDCWD */
	const char *path;
	bool follow; /* what it is a link to is meant */
};

#define PATHS_MAX 2
#define PATH_SIZE 4096

/* How many files the call names, 0 to PATHS_MAX; only calls that open or change them are known here. */
uint32_t paths_of_call(long nr, const long arg[6], struct path_arg out[PATHS_MAX]);

/* Does the call change what is there under the names, or may it? */
bool paths_are_changed(long nr, const long arg[6]);

/* The one name, with its NUL; returns its length without. */
size_t path_resolve(const struct path_arg *n, char out[PATH_SIZE]);

/* What an open descriptor refers to; 0 when that has no name. */
size_t path_of_descriptor(long fd, char out[PATH_SIZE]);

#endif
