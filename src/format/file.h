/*
 * Files that are read and written as a whole, and memory that the tool cannot do without. Every failure is reported: in
 * `e`, or (memory) by ending the tool with one line. Any room of the tool may call this.
 */
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

/* Appends. If there is no memory the tool ends with one line, as it cannot do anything sensible without. */
void bytes_add(struct bytes *b, const void *data, size_t size);
void bytes_free(struct bytes *b);

/* Reads a whole file. It fails if the file has more than `limit` bytes. `out` has a NUL after its last byte. */
bool file_read(const char *path, size_t limit, struct bytes *out, struct error *e);
/* Creates or replaces a file. */
bool file_write(const char *path, const void *data, size_t size, struct error *e);

/*
 * As file_write, but through a second file that is moved into place: at every moment `path` is the old file or the
 * whole new one.
 */
bool file_replace(const char *path, const void *data, size_t size, struct error *e);
/* Writes all bytes to a descriptor, in one write unless the kernel takes only a part. False: errno has the reason. */
bool file_put(int fd, const void *data, size_t size);

/* Copies a file; an existing `to` is replaced. */
bool file_copy(const char *from, const char *to, struct error *e);

/* Allocation that cannot fail, as in bytes_add. must_alloc clears the memory. */
void *must_alloc(size_t size);
void *must_resize(void *old, size_t size);
char *must_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
