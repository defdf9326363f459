#include "run/standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/board.h"

#define INPUT_LIMIT (64l << 20)
#define PATIENCE_MS 2000

enum stream_kind stream_kind_of(int fd)
{
	struct stat st;

	if (isatty(fd))
		return STREAM_TERMINAL;
	if (fstat(fd, &st))
		return STREAM_NULL;
	return S_ISREG(st.st_mode)                            ? STREAM_FILE
	       : S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ? STREAM_PIPE
	                                                      : STREAM_NULL;
}

static uint32_t open_lines;

void line_note_open(uint32_t open) { open_lines = open; }

static bool is_same_file(void)
{
	struct stat out, err;

	return !fstat(1, &out) && !fstat(2, &err) && out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

void line_begin(FILE *out)
{
	int fd = fileno(out);
	uint32_t mine = fd != 1 && fd != 2 ? 0 : is_same_file() ? LINE_EITHER : fd == 1 ? LINE_OUTPUT : LINE_ERROR;

	if (!(open_lines & mine))
		return;
	fputc('\n', out);
	open_lines &= ~mine;
}

int capture_open(struct error *e)
{
	int fd = memfd_create("omen output", MFD_CLOEXEC);

	if (fd < 0)
		error_set(e, "cannot make a file for the program's output: %s", strerror(errno));
	return fd;
}

struct bytes capture_read(int fd, size_t limit)
{
	struct bytes b = {0};
	struct stat st;

	if (fstat(fd, &st))
		return b;
	size_t size = (size_t)st.st_size < limit ? (size_t)st.st_size : limit;
	b.data = must_alloc(size + 1);
	b.capacity = size + 1;
	ssize_t n = pread(fd, b.data, size, st.st_size - (off_t)size);
	b.size = n > 0 ? (size_t)n : 0;
	return b;
}

/* Reads the tool's own input to its end. If that takes long, it says what it waits for. */
static bool read_to_end(int to, struct error *e)
{
	char piece[1 << 16];
	struct pollfd ready = {.fd = 0, .events = POLLIN};
	off_t total = 0;

	if (!poll(&ready, 1, PATIENCE_MS))
		fputs("omen: reading standard input to its end (if the program needs none, add < /dev/null)\n", stderr);
	for (ssize_t n; (n = read(0, piece, sizeof piece));) {
		if (n < 0)
			return error_set(e, "cannot read standard input: %s", strerror(errno));
		total += n;
		if (total > INPUT_LIMIT)
			return error_set(e, "cannot keep standard input: more than 64 MiB; give it as a file");
		if (!file_put(to, piece, (size_t)n))
			return error_set(e, "cannot keep standard input: %s", strerror(errno));
	}
	return true;
}

bool input_take(struct input *in, struct error *e)
{
	input_inspect(in);
	if (in->kind != STREAM_PIPE)
		return true;
	*in = (struct input){.kind = STREAM_FILE, .fd = memfd_create("omen input", MFD_CLOEXEC)};
	if (in->fd < 0)
		return error_set(e, "cannot keep standard input: %s", strerror(errno));
	return read_to_end(in->fd, e);
}

void input_inspect(struct input *in)
{
	enum stream_kind kind = stream_kind_of(0);
	off_t at = lseek(0, 0, SEEK_CUR);

	*in = (struct input){.kind = kind == STREAM_TERMINAL ? STREAM_NULL : kind, .fd = 0, .start = at < 0 ? 0 : at};
}

int input_open(const struct input *in, struct error *e)
{
	char path[32] = "/dev/null";

	if (in->kind == STREAM_FILE)
		snprintf(path, sizeof path, "/proc/self/fd/%d", in->fd);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		error_set(e, "cannot open the program's input %s: %s", path, strerror(errno));
	else if (in->start)
		lseek(fd, in->start, SEEK_SET);
	return fd;
}

bool input_save(const struct input *in, const char *path, struct error *e)
{
	char piece[1 << 16];
	off_t at = in->start;
	ssize_t n = 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0;

	while (ok && (n = pread(in->fd, piece, sizeof piece, at)) > 0) {
		ok = file_put(fd, piece, (size_t)n);
		at += n;
	}
	if (!ok || n < 0 || close(fd))
		return error_set(e, "cannot write %s: %s", path, strerror(errno));
	return true;
}
