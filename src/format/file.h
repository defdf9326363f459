/* Whole files: read at once, written at once, every failure told. */
#ifndef OMEN_FILE_H
#define OMEN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

struct bytes {
	uint8_t *data;
	size_t size, capacity;
};

/* Appends; memory that cannot be had ends the tool with one line, as nothing sensible can follow. */
void bytes_add(struct bytes *b, const void *data, size_t size);
void bytes_free(struct bytes *b);

/* Reads a whole file, at most `limit` bytes; `out` gets a NUL behind its last byte. */
bool file_read(const char *path, size_t limit, struct bytes *out, struct error *e);
/* Creates or replaces a file. */
bool file_write(const char *path, const void *data, size_t size, struct error *e);

/* The same aside and moved into place: whatever happens there is the old file or the new one. */
bool file_replace(const char *path, const void *data, size_t size, struct error *e);
/* Writes all of it to a descriptor: in one write, unless the kernel takes only a part. False: errno tells why. */
bool file_put(int fd, const void *data, size_t size);

/* Copies one. */
bool file_copy(const char *from, const char *to, struct error *e);

/* malloc, strdup and realloc that cannot fail: see bytes_add. */
void *must_alloc(size_t size);
void *must_resize(void *old, size_t size);
char *must_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
