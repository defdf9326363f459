#include "cmd/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

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

static bool write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
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

/* Reads the tool's own input to its end; says what it waits for if that takes long. */
static bool slurp(int to, struct error *e)
{
	char piece[1 << 16];
	struct pollfd ready = {.fd = 0, .events = POLLIN};
	off_t total = 0;

	if (!poll(&ready, 1, PATIENCE_MS))
		fputs("omen: reading standard input to its end (say < /dev/null if the program needs none)\n", stderr);
	for (ssize_t n; (n = read(0, piece, sizeof piece));) {
		if (n < 0)
			return error_set(e, "cannot read standard input: %s", strerror(errno));
		total += n;
		if (total > INPUT_LIMIT)
			return error_set(e, "cannot keep standard input: more than 64 MiB; give it as a file");
		if (!write_all(to, piece, (size_t)n))
			return error_set(e, "cannot keep standard input: %s", strerror(errno));
	}
	return true;
}

bool input_take(struct input *in, struct error *e)
{
	input_look(in);
	if (in->kind != STREAM_PIPE)
		return true;
	*in = (struct input){.kind = STREAM_FILE, .fd = memfd_create("omen input", MFD_CLOEXEC)};
	if (in->fd < 0)
		return error_set(e, "cannot keep standard input: %s", strerror(errno));
	return slurp(in->fd, e);
}

void input_look(struct input *in)
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
		ok = write_all(fd, piece, (size_t)n);
		at += n;
	}
	if (!ok || n < 0 || close(fd))
		return error_set(e, "cannot write %s: %s", path, strerror(errno));
	return true;
}

/* A terminal the program can tell from ours only by its name. It must not change bytes: ours does that once already. */
static bool open_terminal(struct relay *r)
{
	struct termios raw;

	r->from = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (r->from < 0 || grantpt(r->from) || unlockpt(r->from))
		return false;
	r->program = open(ptsname(r->from), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (r->program < 0 || tcgetattr(r->program, &raw))
		return false;
	raw.c_oflag &= ~(tcflag_t)OPOST;
	return !tcsetattr(r->program, TCSANOW, &raw);
}

static bool open_pipe(struct relay *r)
{
	int pair[2];

	if (pipe2(pair, O_CLOEXEC))
		return false;
	r->from = pair[0];
	r->program = pair[1];
	return true;
}

bool relay_open(struct relay *r, enum stream_kind kind, int to, struct error *e)
{
	bool ok = true;

	*r = (struct relay){.kind = kind, .program = to, .from = -1, .to = to};
	if (kind == stream_kind_of(to) && kind != STREAM_FILE)
		return true;
	if (kind == STREAM_NULL)
		ok = (r->program = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0;
	else if (kind == STREAM_FILE)
		ok = (r->program = r->from = memfd_create("omen output", MFD_CLOEXEC)) >= 0;
	else if (kind == STREAM_PIPE)
		ok = open_pipe(r);
	else
		ok = open_terminal(r);
	if (!ok)
		return error_set(e, "cannot make a descriptor for the program's output: %s", strerror(errno));
	if (r->from >= 0 && kind != STREAM_FILE)
		fcntl(r->from, F_SETFL, fcntl(r->from, F_GETFL) | O_NONBLOCK);
	return true;
}

void relay_pump(struct relay *r)
{
	char piece[1 << 14];
	ssize_t n;

	if (r->from < 0)
		return;
	while ((n = r->kind == STREAM_FILE ? pread(r->from, piece, sizeof piece, r->shown)
	                                   : read(r->from, piece, sizeof piece)) > 0) {
		r->shown += n;
		write_all(r->to, piece, (size_t)n);
	}
}

void relay_close(struct relay *r)
{
	if (r->program != r->to)
		close(r->program);
	if (r->from >= 0 && r->from != r->program)
		close(r->from);
}
