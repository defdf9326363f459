/*
 * Opening, closing, locking and asking about descriptors.
 *
 * Under the tool the three standard descriptors look like pipes, whatever they are: a program must not buffer
 * differently when its output goes to a terminal, a file or a test harness.
 */
#include "rt/kernel/io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/text.h"
#include "rt/fibers/sched.h"
#include "rt/kernel/fd_kind.h"
#include "rt/kernel/fd_order.h"
#include "rt/kernel/fd_set.h"
#include "rt/kernel/local_fds.h"
#include "rt/kernel/signals.h"
#include "rt/kernel/above.h"

static struct {
	uint64_t random;
	struct fdset random_fds; /* descriptors of /dev/urandom and /dev/random */
} state;

bool fd_is_standard(long fd) { return omen.board && fd >= 0 && fd <= 2; }

/* ---- random bytes ---- */

bool random_has(long fd) { return fdset_has(&state.random_fds, fd); }
static void random_put(long fd, bool yes) { fdset_put(&state.random_fds, fd, yes); }

void random_fill(uint8_t *to, size_t n)
{
	omen.progress++;
	for (size_t i = 0; i < n; i++) {
		if (i % 8 == 0)
			state.random = state.random * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
		to[i] = (uint8_t)(state.random >> (8 * (7 - i % 8)));
	}
}

long kernel_getrandom(struct call *c)
{
	if (!omen.board)
		return kernel_pass(c);
	random_fill((uint8_t *)c->arg[0], (size_t)c->arg[1]);
	return c->arg[1];
}

/* ---- opening and closing ---- */

/* /proc/PID of our own process, by the virtual id, becomes /proc/self. */
static const char *own_proc_path(const char *path, char *to, size_t size)
{
	uint64_t pid = 0;
	const char *at = path + 6;

	if (strncmp(path, "/proc/", 6))
		return path;
	while (*at >= '0' && *at <= '9' && pid < UINT32_MAX)
		pid = 10 * pid + (uint64_t)(*at++ - '0');
	if (*at != '/' || pid > INT32_MAX || !is_our_pid((int)pid))
		return path;
	text_format(to, size, "/proc/self%s", at);
	return to;
}

static long open_path(const struct call *c)
{
	struct call own = *c;
	int which = c->nr == SYS_open ? 0 : 1;
	char path[256];

	own.arg[which] = (long)own_proc_path((const char *)c->arg[which], path, sizeof(path));
	return kernel_pass(&own);
}

long kernel_open(struct call *c)
{
	long fd = open_path(c);
	struct stat st = {0};

	if (!omen.board || fd < 0)
		return fd;
	const char *path = (const char *)(c->nr == SYS_open ? c->arg[0] : c->arg[1]);
	bool random = !strncmp(path, "/dev/", 5) && !world2(SYS_fstat, fd, &st) && S_ISCHR(st.st_mode) &&
	              (st.st_rdev == makedev(1, 9) || st.st_rdev == makedev(1, 8));
	random_put(fd, random);
	return fd;
}

long kernel_close(struct call *c)
{
	sched_point(POINT_SYNC, c->where);
	fd_order_before_write((int)c->arg[0]); /* the other end can see that it is closed */
	kernel_time_forget_fd((int)c->arg[0]);
	signals_forget_fd((int)c->arg[0]);
	local_fds_closed((int)c->arg[0]);
	fd_kind_forget((int)c->arg[0]);
	long r = kernel_pass(c);
	random_put(c->arg[0], false);
	io_done();
	return r;
}

/* ---- locks on files ---- */

static long lock_file(struct call *c, struct call *try)
{
	sched_point(POINT_SYNC, c->where);
	for (;;) {
		long r = kernel_pass(try);
		if (r != -EAGAIN && r != -EACCES)
			return r;
		if (omen.nlive == 1)
			return kernel_pass(c);
		struct timespec soon = {0, 1000000};
		omen.current->wait =
		        (struct wait){.kind = WAIT_KEY, .deadline = kernel_deadline(CLOCK_MONOTONIC, &soon, false)};
		if (sched_block(c->where) == WAIT_INTERRUPTED && !signals_restart())
			return -EINTR;
	}
}

long kernel_flock(struct call *c)
{
	struct call try = *c;

	if (c->arg[1] & LOCK_NB)
		return kernel_visible(c);
	try.arg[1] |= LOCK_NB;
	return lock_file(c, &try);
}

long kernel_fcntl(struct call *c)
{
	struct call try = *c;

	if (c->arg[1] != F_SETLKW && c->arg[1] != F_OFD_SETLKW)
		return kernel_pass(c);
	try.arg[1] = c->arg[1] == F_SETLKW ? F_SETLK : F_OFD_SETLK;
	return lock_file(c, &try);
}

/* ---- what the standard descriptors look like ---- */

long kernel_stat(struct call *c)
{
	struct stat *st = (void *)(c->nr == SYS_fstat ? c->arg[1] : c->arg[2]);
	bool by_fd = c->nr == SYS_fstat || ((c->arg[3] & AT_EMPTY_PATH) && !*(const char *)c->arg[1]);

	if (!by_fd || !fd_is_standard(c->arg[0]))
		return kernel_pass(c);
	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFIFO | 0600;
	st->st_ino = 1000 + (ino_t)c->arg[0];
	st->st_nlink = 1;
	st->st_blksize = 4096;
	return 0;
}

long kernel_ioctl(struct call *c)
{
	if (fd_is_standard(c->arg[0]) && (c->arg[1] & 0xff00) == 0x5400 && c->arg[1] != 0x541b /* FIONREAD */)
		return -ENOTTY;
	fd_kind_forget_all(); /* FIONBIO may change whether it blocks */
	return kernel_pass(c);
}

long kernel_lseek(struct call *c) { return fd_is_standard(c->arg[0]) ? -ESPIPE : kernel_pass(c); }
