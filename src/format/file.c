#include "format/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void out_of_memory(void)
{
	fputs("omen: cannot allocate memory: free some, or use fewer jobs (-j)\n", stderr);
	exit(1);
}

void *must_resize(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *must_alloc(size_t size) { return memset(must_resize(NULL, size), 0, size); }

char *must_format(const char *format, ...)
{
	va_list args;
	char *s;

	va_start(args, format);
	if (vasprintf(&s, format, args) < 0)
		out_of_memory();
	va_end(args);
	return s;
}

void bytes_add(struct bytes *b, const void *data, size_t size)
{
	if (b->capacity - b->size < size) {
		b->capacity = (b->size + size) * 2;
		b->data = must_resize(b->data, b->capacity);
	}
	if (size)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

bool file_read(const char *path, size_t limit, struct bytes *out, struct error *e)
{
	uint8_t piece[1 << 16];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set(e, "cannot read %s: %s", path, strerror(errno));
	*out = (struct bytes){0};
	while ((n = read(fd, piece, sizeof piece)) > 0 && out->size <= limit)
		bytes_add(out, piece, (size_t)n);
	int error = errno;
	close(fd);
	if (n >= 0 && out->size <= limit) {
		bytes_add(out, "", 1);
		out->size--;
		return true;
	}
	bytes_free(out);
	if (n < 0)
		return error_set(e, "cannot read %s: %s", path, strerror(error));
	return error_set(e, "cannot read %s: it is larger than %zu bytes", path, limit);
}

bool file_put(int fd, const void *data, size_t size)
{
	const char *p = data;

	while (size) {
		ssize_t n = write(fd, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : EIO;
			return false;
		}
		p += n;
		size -= (size_t)n;
	}
	return true;
}

bool file_write(const char *path, const void *data, size_t size, struct error *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		return error_set(e, "cannot write %s: %s", path, strerror(errno));
	if (!file_put(fd, data, size)) {
		error_set(e, "cannot write %s: %s", path, strerror(errno));
		close(fd);
		return false;
	}
	if (close(fd) < 0)
		return error_set(e, "cannot write %s: %s", path, strerror(errno));
	return true;
}

bool file_replace(const char *path, const void *data, size_t size, struct error *e)
{
	char *aside = must_format("%s.new", path);
	bool ok = file_write(aside, data, size, e);

	if (ok && rename(aside, path))
		ok = error_set(e, "cannot write %s: %s", path, strerror(errno));
	if (!ok)
		unlink(aside);
	free(aside);
	return ok;
}

bool file_copy(const char *from, const char *to, struct error *e)
{
	static char piece[1 << 16];
	int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	ssize_t n = 0;
	bool ok = in >= 0 && out >= 0;

	while (ok && (n = read(in, piece, sizeof piece)) > 0)
		ok = file_put(out, piece, (size_t)n);
	ok = ok && n == 0;
	if (!ok)
		error_set(e, "cannot copy %s to %s: %s", from, to, strerror(errno));
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return ok;
}
