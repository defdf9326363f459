/*
 * random SEED COUNT: makes COUNT syscalls on files, pipes, sockets and epolls; the seed chooses them.  It prints each
 * result with a hash of the bytes that arrived.  It does not print what kernels answer differently: inode and port
 * numbers, times, sizes of directories, how much a socket holds.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "random.h"

static uint64_t rng;
int slot[SLOTS];
int queued;
uint8_t bytes[BIG], got[BIG];

struct map maps[MAPS];

uint32_t any(uint32_t below)
{
	rng = rng * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(rng >> 33) % below;
}

bool chance(uint32_t percent) { return any(100) < percent; }

uint32_t hash(const void *data, long n)
{
	uint32_t h = 2166136261u;

	for (long i = 0; i < n; i++)
		h = (h ^ ((const uint8_t *)data)[i]) * 16777619u;
	return h;
}

void print_result(long result, const char *format, ...)
{
	int error = errno;
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(" = %ld%s%s\n", result, result < 0 ? " " : "", result < 0 ? strerrorname_np(error) : "");
}

/* What the calls work on. */

const char *const names[NAMES] = {
        "a",  "b",     "c",   "d",       "d/x",          "d/y",  "e",      "e/z",       "e/d", "l",
        "m",  "there", "old", "old/one", "old/two",      "./a",  "d/../b", "nowhere/x", "a/x", "d/",
        "a/", "",      "..",  ".",       "old/../there", ".//a", "l/x",
};

const char *name(void)
{
	if (chance(2)) {
		static char long_name[300];
		memset(long_name, 'n', 299);
		return long_name;
	}
	return names[chance(60) ? any(15) : any(COUNT(names))];
}

int any_slot(void) { return slot[any(SLOTS)]; }

int fd(void)
{
	if (chance(3))
		return chance(50) ? -1 : 333;
	for (int i = 0; i < 20; i++) {
		int f = any_slot();
		if (f >= 0)
			return f;
	}
	return 333;
}

bool is(int f, mode_t type)
{
	struct stat st;

	return f >= 0 && !fstat(f, &st) && (st.st_mode & S_IFMT) == type;
}

int fd_of(mode_t type)
{
	for (int i = 0; i < 30; i++) {
		int f = any_slot();
		if (is(f, type))
			return f;
	}
	return fd();
}

void drop(int i)
{
	if (slot[i] >= 0)
		print_result(close(slot[i]), "close(%d)", slot[i]);
	slot[i] = -1;
}

void keep(int f)
{
	int i = (int)any(SLOTS);

	if (f < 0)
		return;
	drop(i);
	slot[i] = f;
}

bool can(int f, short events)
{
	struct pollfd p = {.fd = f, .events = events};

	return poll(&p, 1, 0) != 0;
}

static bool blocks(int f) { return f >= 0 && !(fcntl(f, F_GETFL) & O_NONBLOCK); }

bool would_wait(int f, short events) { return blocks(f) && !can(f, events); }

bool is_socket(int f) { return is(f, S_IFSOCK); }

bool is_counter(int f)
{
	struct stat st;

	return f >= 0 && !fstat(f, &st) && !(st.st_mode & S_IFMT);
}

size_t amount(int f)
{
	static const size_t sizes[] = {0, 1, 7, 100, 1000, 4000, 4096, 4097, 5000, 12288, 65536, 70000, 100001};
	size_t n = chance(50) ? sizes[any(COUNT(sizes))] : any(300);

	if (n > 300 && (is_socket(f) || (f >= 0 && is(f, S_IFIFO) && blocks(f))))
		n = any(300);
	return n;
}

int type_of(int f)
{
	int type = 0;
	socklen_t size = sizeof type;

	return getsockopt(f, SOL_SOCKET, SO_TYPE, &type, &size) ? 0 : type;
}

bool may_send(int f, size_t n)
{
	if (!is_socket(f))
		return true;
	if (queued > 40 || (!n && type_of(f) != SOCK_STREAM)) /* kernels differ about empty packets */
		return false;
	queued++;
	return n < 1000;
}

void fill(size_t n)
{
	uint8_t c = (uint8_t)any(256);

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(c + i * 7 + (i >> 8));
}

/* The main loop. */

static void (*const what[])(void) = {
        do_open,     do_open,   do_open,    do_open,    do_openat,  do_directory, do_tmpfile,  do_memfd,   do_read,
        do_read,     do_read,   do_read,    do_pread,   do_readv,   do_write,     do_write,    do_write,   do_write,
        do_write,    do_pwrite, do_writev,  do_seek,    do_seek,    do_truncate,  do_allocate, do_stat,    do_stat,
        do_stat,     do_access, do_list,    do_here,    do_names,   do_names,     do_names,    do_names,   do_names,
        do_mode,     do_dup,    do_dup,     do_fcntl,   do_fcntl,   do_ioctl,     do_flock,    do_close,   do_wrong,
        do_pipe,     do_pipe,   do_pair,    do_pair,    do_connect, do_send,      do_send,     do_receive, do_receive,
        do_shutdown, do_option, do_counter, do_count,   do_copy,    do_splice,    do_poll,     do_poll,    do_select,
        do_watch,    do_watch,  do_watched, do_watched, do_map,     do_touch,     do_touch,
};

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 300;

	rng = (uint64_t)(argc > 1 ? atol(argv[1]) : 1) * 0x9e3779b97f4a7c15u;
	setvbuf(stdout, NULL, _IOLBF, 1 << 16);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < SLOTS; i++)
		slot[i] = -1;
	if (chdir("scratch"))
		return 2;
	for (int i = 0; i < count; i++) {
		printf("%d ", i);
		what[any(COUNT(what))]();
		putchar('\n');
	}
	puts("done");
	return 0;
}
