/* The files that a call names, and their one name each: absolute, without links, as far as the file system tells. */
#ifndef OMEN_PATHS_H
#define OMEN_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name {
	long directory; /* a descriptor, or AT_FDCWD */
	const char *path;
	bool follow; /* what it is a link to is meant */
};

#define NAMES_MOST 2
#define NAME_SIZE  4096

/* How many files the call names, 0 to NAMES_MOST; only calls that open or change them are known here. */
uint32_t names_of(long nr, const long arg[6], struct name out[NAMES_MOST]);

/* Does the call change what is there under the names, or may it? */
bool names_are_changed(long nr, const long arg[6]);

/* The one name, with its NUL; returns its length without. */
size_t names_resolve(const struct name *n, char out[NAME_SIZE]);

/* What an open descriptor refers to; 0 when that has no name. */
size_t names_of_descriptor(long fd, char out[NAME_SIZE]);

#endif
