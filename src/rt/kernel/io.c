/*
 * Descriptors.  A call that would block the process blocks only its fiber: the descriptor is polled first, and the call
 * is made when it can go through.  While others can run, descriptors are looked at after every operation that may have
 * made one ready, and now and then for the world's sake.
 *
 * Under the tool the three standard descriptors look like pipes, whatever they are: a program must not buffer
 * differently when its output goes to a terminal, a file or a test harness.
 */
#include "rt/core/op.h"
#include "rt/order/happens_before.h"
#include "rt/kernel/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/ending.h"
#include "rt/kernel/fd_set.h"
#include "rt/kernel/local_fds.h"
#include "rt/kernel/fd_kind.h"
#include "rt/kernel/signals.h"
#include "rt/kernel/above.h"
#include "rt/fibers/sched.h"
#include "rt/fibers/choose.h"
#include "rt/core/text.h"

#define MAX_POLL 4096

static struct {
	struct pollfd polled[MAX_POLL];
	struct fiber *owner[MAX_POLL];
	uint64_t random;
	struct fdset random_fds; /* descriptors of /dev/urandom and /dev/random */
} state;

/* ---- waiting ---- */

static uint32_t gather(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < omen.nlive; i++) {
		struct fiber *f = omen.live[i];
		if (f->state != FIBER_BLOCKED || f->wait.kind != WAIT_FDS)
			continue;
		for (uint32_t k = 0; k < f->wait.nfds && n < MAX_POLL; k++) {
			state.polled[n] = f->wait.fds[k];
			state.polled[n].revents = 0;
			state.owner[n++] = f;
		}
	}
	return n;
}

void env_poll(int64_t timeout)
{
	struct timespec t = {timeout / 1000000000, timeout % 1000000000};
	uint64_t all = ~0ul;
	uint32_t n = gather();

	omen.io_dirty = false;
	if (!n && !timeout)
		return;
	if (timeout)
		raw4(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	if (omen.knocking || omen.signal_arrived)
		t = (struct timespec){0};
	bool for_ever = timeout < 0 && !omen.knocking && !omen.signal_arrived;
	long ready = world5(SYS_ppoll, state.polled, n, for_ever ? NULL : &t, &omen.kernel_mask, 8);
	if (timeout)
		raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.kernel_mask, NULL, 8);
	for (uint32_t i = 0; ready > 0 && i < n; i++)
		if (state.polled[i].revents)
			sched_unblock(state.owner[i], WAIT_WOKEN);
}

/* The replay of a recording waits for the world as the recording did. */
bool env_alone(void) { return !omen.children && !world_is_replayed() && (mode_is(SERVED) || omen.strategy->jumps); }

/* Somebody waits for what only the outside can bring. */
static bool waits_for_world(bool *shared)
{
	bool world = false;

	*shared = false;
	for (uint32_t i = 0; i < omen.nlive; i++) {
		const struct fiber *f = omen.live[i];
		if (f->state != FIBER_BLOCKED || f->wait.kind == WAIT_KEY || f->wait.kind == WAIT_SIGNAL ||
		    (f->wait.kind == WAIT_FDS && inside_only(f->wait.fds, f->wait.nfds)))
			continue;
		world = true;
		*shared |= f->wait.kind == WAIT_SHARED;
	}
	return world;
}

static bool waits_for_child(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->state == FIBER_BLOCKED && omen.live[i]->wait.kind == WAIT_CHILD)
			return true;
	return false;
}

void env_look_again(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++) {
		struct fiber *f = omen.live[i];
		if (f->state != FIBER_BLOCKED)
			continue;
		if (f->wait.kind == WAIT_CHILD ||
		    (f->wait.kind == WAIT_SHARED && *(volatile uint32_t *)f->wait.key != f->wait.value))
			sched_unblock(f, WAIT_WOKEN);
	}
}

void env_idle(void)
{
	bool shared, world;

	signals_take_in();
	env_fire_timers();
	if (omen.io_waiters)
		env_poll(0);
	if (omen.nrunnable)
		return;
	world = waits_for_world(&shared);
	if (!world && omen.next_deadline == NEVER && signals_expected() && !env_alone())
		world = true; /* with nothing else to wait for, a signal may be what is meant to come */
	if (!world && (!env_time_is_real() || omen.next_deadline == NEVER)) {
		if (omen.next_deadline == NEVER) {
			if (OP(STUCK))
				return;
			ending_deadlock();
		}
		OP(TIME_PASSES, .value = (uint64_t)(omen.next_deadline - omen.clock));
		omen.clock = omen.next_deadline;
		env_fire_timers();
		return;
	}
	if (ending_has_cycle())
		ending_deadlock();
	int64_t timeout = omen.next_deadline == NEVER ? -1 : omen.next_deadline - omen.clock;
	/* what no descriptor and no signal tells of is looked at again and again */
	if ((shared || waits_for_child()) && (timeout < 0 || timeout > 1000000))
		timeout = 1000000;
	int64_t before = env_real_clock();
	OP(IDLED);
	env_poll(timeout);
	int64_t elapsed = env_real_clock() - before;
	omen.clock += timeout >= 0 && elapsed > timeout ? timeout : elapsed;
	env_sync_clock();
	env_look_again();
	env_fire_timers();
}

static bool is_nonblocking(int fd) { return kind_of(fd).nonblocking; }

/* A socket's own timeout, as a deadline. */
static int64_t socket_deadline(int fd, int option)
{
	struct timeval tv = {0, 0};
	socklen_t size = sizeof(tv);

	if (world5(SYS_getsockopt, fd, SOL_SOCKET, option, &tv, &size) < 0 || (!tv.tv_sec && !tv.tv_usec))
		return NEVER;
	struct timespec t = {tv.tv_sec, tv.tv_usec * 1000};
	return env_deadline(CLOCK_MONOTONIC, &t, false);
}

/* Until `fd` is ready for `events`: 0, or the error the call is to return. Non-blocking descriptors never wait. */
static long wait_ready(struct call *c, int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};
	int64_t deadline = 0;

	sched_point(POINT_SYNC, c->where);
	if (fd < 0)
		return 0; /* poll would wait for it for ever; the call itself says what is wrong */
	for (;;) {
		p.revents = 0;
		if (is_nonblocking(fd) || world3(SYS_poll, &p, 1, 0) != 0)
			return 0;
		if (!deadline)
			deadline = socket_deadline(fd, events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO);
		omen.current->wait = (struct wait){.kind = WAIT_FDS, .fds = &p, .nfds = 1, .deadline = deadline};
		omen.current->waited = true;
		switch (sched_block(c->where)) {
		case WAIT_TIMEOUT:
			return -EAGAIN;
		case WAIT_INTERRUPTED:
			if (!signals_restart())
				return -EINTR;
			break;
		default:
			break;
		}
	}
}

static bool is_standard(long fd) { return omen.board && fd >= 0 && fd <= 2; }

static void done_outside(void)
{
	omen.progress++;
	omen.io_dirty = omen.io_waiters != 0;
}

/* The same, where only one descriptor can have changed, and others perhaps through it. */
static void done_at(long fd)
{
	if (inside_is_far((int)fd) && world_spares_polls())
		omen.progress++;
	else
		done_outside();
}

long env_visible(struct call *c)
{
	sched_point(POINT_SYNC, c->where);
	long r = env_pass(c);
	done_outside();
	return r;
}

/* ---- reading ---- */

static void fill_random(uint8_t *to, size_t n)
{
	omen.progress++;
	for (size_t i = 0; i < n; i++) {
		if (i % 8 == 0)
			state.random = state.random * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
		to[i] = (uint8_t)(state.random >> (8 * (7 - i % 8)));
	}
}

long env_getrandom(struct call *c)
{
	if (!omen.board)
		return env_pass(c);
	fill_random((uint8_t *)c->arg[0], (size_t)c->arg[1]);
	return c->arg[1];
}

/* Our own process, by the id that the program knows. */
static const char *own_process(const char *path, char *to, size_t size)
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

static long open_own(const struct call *c)
{
	struct call own = *c;
	int which = c->nr == SYS_open ? 0 : 1;
	char path[256];

	own.arg[which] = (long)own_process((const char *)c->arg[which], path, sizeof(path));
	return env_pass(&own);
}

long env_open(struct call *c)
{
	long fd = open_own(c);
	struct stat st = {0};

	if (!omen.board || fd < 0)
		return fd;
	const char *path = (const char *)(c->nr == SYS_open ? c->arg[0] : c->arg[1]);
	bool random = !strncmp(path, "/dev/", 5) && !world2(SYS_fstat, fd, &st) && S_ISCHR(st.st_mode) &&
	              (st.st_rdev == makedev(1, 9) || st.st_rdev == makedev(1, 8));
	fdset_put(&state.random_fds, fd, random);
	return fd;
}

/*
 * Data through a pipe orders whoever wrote it before whoever reads it.  Of other channels only the kind is told apart:
 * all sockets count as one, and so do all that are neither (eventfd, terminals); files are no channels.  The world is
 * asked whether or not races are looked for: a replay may do the one and its recording the other.
 */
static const void *channel(int fd)
{
	struct kind k = kind_of(fd);

	if (!k.open || S_ISREG(k.mode) || S_ISDIR(k.mode))
		return NULL;
	if (S_ISFIFO(k.mode))
		return ORDER_KEY(k.inode);
	return S_ISSOCK(k.mode) ? ORDER_SOCKETS : ORDER_OTHERS;
}

static void giving(int fd)
{
	const void *key = channel(fd);

	if (!key || !mode_is(DETECT))
		return;
	order_release_too(key);
	order_release_too(ORDER_ANY); /* whoever polls may hear of it without reading */
}

static void taken(int fd, long result)
{
	const void *key = result >= 0 ? channel(fd) : NULL;

	if (!key || !mode_is(DETECT))
		return;
	order_acquire(key);
	order_release_too((const void *)((uint64_t)key | ORDER_FULL));
}

/* Room in a pipe, or for who had to wait, comes from whoever read. */
static void given(int fd, bool waited)
{
	const void *key = channel(fd);

	if (key && mode_is(DETECT) && (waited || S_ISFIFO(kind_of(fd).mode)))
		order_acquire((const void *)((uint64_t)key | ORDER_FULL));
}

long env_shutdown(struct call *c)
{
	giving((int)c->arg[0]);
	return env_visible(c);
}

long env_close(struct call *c)
{
	sched_point(POINT_SYNC, c->where);
	giving((int)c->arg[0]); /* the other end will see it */
	env_time_forget_fd((int)c->arg[0]);
	signals_forget_fd((int)c->arg[0]);
	inside_closed((int)c->arg[0]);
	kind_forget((int)c->arg[0]);
	long r = env_pass(c);
	fdset_put(&state.random_fds, c->arg[0], false);
	done_outside();
	return r;
}

long env_read(struct call *c)
{
	if (fdset_has(&state.random_fds, c->arg[0]) && c->nr == SYS_read) {
		fill_random((uint8_t *)c->arg[1], (size_t)c->arg[2]);
		return c->arg[2];
	}
	long e = wait_ready(c, (int)c->arg[0], POLLIN);
	long r = e ? e : env_pass(c);
	if (c->nr == SYS_read)
		signals_after_read((int)c->arg[0], (void *)c->arg[1], r);
	taken((int)c->arg[0], r);
	done_at(c->arg[0]);
	return r;
}

/* MSG_WAITALL and recvmmsg on a blocking socket: piece by piece, others run in between. */
static long receive_all(struct call *c, long unit)
{
	struct call piece = *c;
	long got = 0;

	piece.arg[3] = (c->arg[3] & ~MSG_WAITALL) | MSG_DONTWAIT;
	while (got < c->arg[2]) {
		piece.arg[1] = c->arg[1] + got * unit;
		piece.arg[2] = c->arg[2] - got;
		long r = env_pass(&piece);
		if (r == -EAGAIN) {
			r = wait_ready(c, (int)c->arg[0], POLLIN);
			if (!r)
				continue;
		}
		if (r <= 0)
			return got ? got : r;
		got += r;
	}
	return got;
}

long env_recv(struct call *c)
{
	long flags = c->nr == SYS_recvmsg ? c->arg[2] : c->arg[3];
	long r = 0;

	if (flags & MSG_DONTWAIT)
		sched_point(POINT_SYNC, c->where);
	else
		r = wait_ready(c, (int)c->arg[0], POLLIN);
	struct call once = *c;
	bool waits = !(flags & MSG_DONTWAIT) && !is_nonblocking((int)c->arg[0]);
	if (!r && waits && c->nr == SYS_recvfrom && (flags & MSG_WAITALL))
		r = receive_all(c, 1);
	else if (!r && waits && c->nr == SYS_recvmmsg && !(flags & MSG_WAITFORONE) && !c->arg[4])
		r = receive_all(c, sizeof(struct mmsghdr));
	else if (!r) {
		once.arg[3] |= waits && c->nr == SYS_recvmmsg ? MSG_WAITFORONE : 0; /* its timeout is over at once */
		r = env_pass(&once);
	}
	taken((int)c->arg[0], r);
	done_at(c->arg[0]);
	return r;
}

long env_accept(struct call *c)
{
	long e = wait_ready(c, (int)c->arg[0], POLLIN);
	long r = e ? e : env_pass(c);

	taken((int)c->arg[0], r);
	if (r >= 0)
		inside_came((int)r);
	done_outside();
	return r;
}

/* ---- writing ---- */

/* Makes one call on a blocking descriptor without letting it block the process. */
static long without_blocking(const struct call *c)
{
	long flags = world3(SYS_fcntl, c->arg[0], F_GETFL, 0);

	world3(SYS_fcntl, c->arg[0], F_SETFL, flags | O_NONBLOCK);
	long r = env_pass(c);
	world3(SYS_fcntl, c->arg[0], F_SETFL, flags);
	return r;
}

/* A write that may not fit into a pipe or socket at once: piece by piece, others run in between. */
static long write_in_pieces(struct call *c)
{
	struct call piece = *c;
	long done = 0;

	while (done < c->arg[2]) {
		piece.arg[1] = c->arg[1] + done;
		piece.arg[2] = c->arg[2] - done;
		long r = without_blocking(&piece);
		if (r == -EAGAIN) {
			done_outside();
			r = wait_ready(c, (int)c->arg[0], POLLOUT);
			if (!r)
				continue;
		}
		if (r < 0)
			return done ? done : r;
		done += r;
	}
	return done;
}

static bool may_block(int fd)
{
	struct kind k = kind_of(fd);

	return k.open && !S_ISREG(k.mode) && !S_ISBLK(k.mode) && !k.nonblocking;
}

/* The rest of a vector after `done` bytes of it were written, element by element. */
static long write_vector(const struct call *c, const struct iovec *iov, size_t n, long done)
{
	size_t skip = (size_t)done;

	for (size_t i = 0; i < n; i++) {
		if (skip >= iov[i].iov_len) {
			skip -= iov[i].iov_len;
			continue;
		}
		struct call rest = {
		        .nr = SYS_write,
		        .arg = {c->arg[0], (long)iov[i].iov_base + (long)skip, (long)(iov[i].iov_len - skip)},
		        .where = c->where};
		long r = write_in_pieces(&rest);
		if (r < 0)
			return done ? done : r;
		done += r;
		if (r < rest.arg[2])
			return done;
		skip = 0;
	}
	return done;
}

/* sendmsg: its address and control data go with the first piece. */
static long send_message(struct call *c)
{
	const struct msghdr *m = (const void *)c->arg[1];
	struct call first = *c;

	first.arg[2] |= MSG_DONTWAIT;
	for (;;) {
		long r = env_pass(&first);
		if (r == -EAGAIN) {
			r = wait_ready(c, (int)c->arg[0], POLLOUT);
			if (!r)
				continue;
		}
		return r <= 0 ? r : write_vector(c, m->msg_iov, m->msg_iovlen, r);
	}
}

static long write_ready(struct call *c, bool may_wait)
{
	if (!may_wait)
		return env_pass(c);
	switch (c->nr) {
	case SYS_write:
		return c->arg[2] > 4096 ? write_in_pieces(c) : env_pass(c);
	case SYS_sendto:
		return c->arg[2] > 4096 && !c->arg[4] ? write_in_pieces(c) : env_pass(c);
	case SYS_writev:
		return write_vector(c, (const void *)c->arg[1], (size_t)c->arg[2], 0);
	case SYS_sendmsg:
		return send_message(c);
	default:
		return env_pass(c);
	}
}

static long write_out(struct call *c, bool no_wait)
{
	long e = 0;

	omen.current->waited = false;
	if (no_wait)
		sched_point(POINT_SYNC, c->where);
	else
		e = wait_ready(c, (int)c->arg[0], POLLOUT);
	giving((int)c->arg[0]);
	long r = e ? e : write_ready(c, !no_wait && may_block((int)c->arg[0]));
	given((int)c->arg[0], omen.current->waited);
	done_at(c->arg[0]);
	if (r == -EPIPE) { /* the kernel has raised SIGPIPE; it is due now */
		signals_admit(ADMIT_SENT);
		signals_deliver();
	}
	return r;
}

/* The last byte of what was written; '\n' where that is not known. */
static char last_byte(const struct call *c, long written)
{
	const struct iovec *v = (const struct iovec *)c->arg[1];

	if (c->nr == SYS_write)
		return ((const char *)c->arg[1])[written - 1];
	if (c->nr != SYS_writev)
		return '\n';
	for (; (size_t)written > v->iov_len; v++)
		written -= (long)v->iov_len;
	return ((const char *)v->iov_base)[written - 1];
}

/* The tool tells what it has found on lines of its own. */
static void note_line(const struct call *c, long written)
{
	uint32_t own = c->arg[0] == 1 ? LINE_OUTPUT : LINE_ERROR, *open = &omen.board->result.open_lines;

	*open &= ~(own | LINE_EITHER);
	if (last_byte(c, written) != '\n')
		*open |= own | LINE_EITHER;
}

long env_write(struct call *c)
{
	long r = write_out(c, is_standard(c->arg[0]));

	if (r > 0 && is_standard(c->arg[0]) && c->arg[0])
		note_line(c, r);
	return r;
}

long env_send(struct call *c) { return write_out(c, (c->nr == SYS_sendmsg ? c->arg[2] : c->arg[3]) & MSG_DONTWAIT); }

/* sendfile and splice, in pieces too: the side that is not ready is waited for. */
long env_transfer(struct call *c)
{
	int out = (int)(c->nr == SYS_sendfile ? c->arg[0] : c->arg[2]);
	int in = (int)(c->nr == SYS_sendfile ? c->arg[1] : c->arg[0]);
	struct call piece = *c;
	long done = 0, r;

	sched_point(POINT_SYNC, c->where);
	if (!may_block(out) && !may_block(in))
		return env_visible(c);
	for (;;) {
		if ((r = wait_ready(c, in, POLLIN)) || (r = wait_ready(c, out, POLLOUT)))
			return done ? done : r;
		piece.arg[5] |= c->nr == SYS_splice ? 2 /* SPLICE_F_NONBLOCK */ : 0;
		giving(out);
		r = c->nr == SYS_splice ? env_pass(&piece) : without_blocking(&piece);
		taken(in, r);
		giving(out); /* with what came in */
		done_outside();
		if (r == -EAGAIN)
			continue;
		if (r <= 0)
			return done ? done : r;
		done += r;
		piece.arg[3] -= r;
		if (c->nr == SYS_splice ||
		    piece.arg[3] <= 0) /* splice may stop short, sendfile to a blocking socket does not */
			return done;
	}
}

static long connect_to(struct call *c)
{
	int fd = (int)c->arg[0], error = 0;
	socklen_t size = sizeof(error);

	sched_point(POINT_SYNC, c->where);
	giving(fd);
	if (is_nonblocking(fd))
		return env_visible(c);
	long r = without_blocking(c);
	done_outside();
	while (r == -EAGAIN) { /* a local listener's queue is full */
		sched_point(POINT_YIELD, c->where);
		r = without_blocking(c);
	}
	if (r != -EINPROGRESS)
		return r;
	r = wait_ready(c, fd, POLLOUT);
	if (!r && world5(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0)
		r = -error;
	return r;
}

long env_connect(struct call *c)
{
	long r = connect_to(c);

	if (r >= 0 || r == -EINPROGRESS || r == -EINTR)
		inside_connects();
	return r;
}

/* ---- poll and its kin ---- */

struct poller {
	struct call *call;
	struct pollfd *fds;
	uint32_t nfds;
	int64_t deadline;            /* NEVER, or 0 for a look without waiting */
	const uint64_t *mask;        /* signals blocked meanwhile, or NULL */
	long (*look)(struct call *); /* the call, without waiting */
};

static long poll_with(struct poller *p)
{
	struct fiber *f = omen.current;
	uint64_t before = f->mask;
	long r;

	sched_point(POINT_SYNC, p->call->where);
	if (p->mask)
		f->mask = *p->mask;
	if (p->mask && signals_unblocked()) {
		f->mask = before;
		return -EINTR;
	}
	for (;;) {
		r = p->look(p->call);
		if (r || (p->deadline != NEVER && p->deadline <= omen.clock))
			break;
		/* a poll of nothing is a sleep, and no business of the world's */
		f->wait = (struct wait){
		        .kind = p->nfds ? WAIT_FDS : WAIT_KEY, .fds = p->fds, .nfds = p->nfds, .deadline = p->deadline};
		enum wait_result w = sched_block(p->call->where);
		if (w == WAIT_INTERRUPTED) {
			signals_deliver();
			r = -EINTR;
			break;
		}
	}
	f->mask = before;
	omen.progress++;
	if (r > 0)
		order_acquire(ORDER_ANY);
	if (r == 0)
		sched_point(POINT_YIELD, p->call->where);
	return r;
}

static int64_t poll_deadline(const struct timespec *t)
{
	if (!t)
		return NEVER;
	return t->tv_sec || t->tv_nsec ? env_deadline(CLOCK_MONOTONIC, t, false) : 0;
}

static int64_t millisecond_deadline(int ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000l};

	return poll_deadline(ms < 0 ? NULL : &t);
}

static long look_poll(struct call *c) { return world3(SYS_poll, c->arg[0], c->arg[1], 0); }

long env_ppoll(struct call *c)
{
	struct poller p = {.call = c, .fds = (void *)c->arg[0], .nfds = (uint32_t)c->arg[1], .look = look_poll};

	if (c->nr == SYS_poll) {
		p.deadline = millisecond_deadline((int)c->arg[2]);
	} else {
		p.deadline = poll_deadline((const void *)c->arg[2]);
		p.mask = (const void *)c->arg[3];
	}
	return poll_with(&p);
}

static long look_epoll(struct call *c) { return world4(SYS_epoll_wait, c->arg[0], c->arg[1], c->arg[2], 0); }

long env_epoll(struct call *c)
{
	struct pollfd self = {.fd = (int)c->arg[0], .events = POLLIN};
	struct poller p = {.call = c, .fds = &self, .nfds = 1, .look = look_epoll};

	p.deadline = c->nr == SYS_epoll_pwait2 ? poll_deadline((const void *)c->arg[3])
	                                       : millisecond_deadline((int)c->arg[3]);
	if (c->nr != SYS_epoll_wait)
		p.mask = (const void *)c->arg[4];
	return poll_with(&p);
}

/*
 * select: its sets may be larger than an fd_set and its stack small, so the descriptors asked for are turned into
 * pollfds, no more than there are, and the answer is written back into the sets.
 */
static const short select_events[3] = {POLLIN, POLLOUT, POLLPRI};
static const short select_answers[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};

static bool in_set(const struct call *c, int set, long fd)
{
	const uint64_t *bits = (const void *)c->arg[1 + set];

	return bits && (bits[fd / 64] >> (fd % 64) & 1);
}

static short select_wanted(const struct call *c, long fd)
{
	short wanted = 0;

	for (int i = 0; i < 3; i++)
		if (in_set(c, i, fd))
			wanted |= select_events[i];
	return wanted;
}

static uint32_t select_count(const struct call *c)
{
	uint32_t n = 0;

	for (long fd = 0; fd < c->arg[0]; fd++)
		n += select_wanted(c, fd) != 0;
	return n;
}

/* Only the bits of descriptors that were asked for and are ready stay. Returns how many. */
static long select_answer(const struct call *c, const struct pollfd *fds, uint32_t n)
{
	long ready = 0;

	for (uint32_t k = 0; k < n; k++) {
		long fd = fds[k].fd;
		for (int i = 0; i < 3; i++) {
			uint64_t *bits = (void *)c->arg[1 + i];
			if (!in_set(c, i, fd))
				continue;
			if (fds[k].revents & select_answers[i])
				ready++;
			else
				bits[fd / 64] &= ~(1ul << (fd % 64));
		}
	}
	return ready;
}

static void select_time_left(const struct call *c, int64_t deadline)
{
	int64_t left = deadline > omen.clock ? deadline - omen.clock : 0;

	if (!c->arg[4] || deadline == NEVER)
		return;
	if (c->nr == SYS_select)
		*(struct timeval *)c->arg[4] = (struct timeval){left / 1000000000, left % 1000000000 / 1000};
	else
		*(struct timespec *)c->arg[4] = (struct timespec){left / 1000000000, left % 1000000000};
}

long env_select(struct call *c)
{
	struct {
		const uint64_t *mask;
		size_t size;
	} *masked = (void *)c->arg[5];
	struct timespec limit = {0, 0};

	if (c->arg[0] < 0 || c->arg[0] > MAX_POLL * 16)
		return -EINVAL;
	uint32_t n = select_count(c), at = 0;
	struct pollfd fds[n + 1];
	struct call poll = {.nr = SYS_poll, .arg = {(long)fds, n}, .where = c->where};
	struct poller p = {.call = &poll, .fds = fds, .nfds = n, .look = look_poll};
	for (long fd = 0; fd < c->arg[0]; fd++)
		if (select_wanted(c, fd))
			fds[at++] = (struct pollfd){.fd = (int)fd, .events = select_wanted(c, fd)};
	if (c->arg[4] && c->nr == SYS_select) {
		const struct timeval *tv = (const void *)c->arg[4];
		limit = (struct timespec){tv->tv_sec, tv->tv_usec * 1000};
	} else if (c->arg[4]) {
		limit = *(const struct timespec *)c->arg[4];
	}
	p.deadline = poll_deadline(c->arg[4] ? &limit : NULL);
	p.mask = c->nr == SYS_pselect6 && masked ? masked->mask : NULL;
	long r = poll_with(&p);
	select_time_left(c, p.deadline);
	for (uint32_t i = 0; r > 0 && i < n; i++)
		if (fds[i].revents & POLLNVAL)
			return -EBADF;
	return r < 0 ? r : select_answer(c, fds, n);
}

/* ---- locks on files ---- */

static long lock_file(struct call *c, struct call *try)
{
	sched_point(POINT_SYNC, c->where);
	for (;;) {
		long r = env_pass(try);
		if (r != -EAGAIN && r != -EACCES)
			return r;
		if (omen.nlive == 1)
			return env_pass(c);
		struct timespec soon = {0, 1000000};
		omen.current->wait =
		        (struct wait){.kind = WAIT_KEY, .deadline = env_deadline(CLOCK_MONOTONIC, &soon, false)};
		if (sched_block(c->where) == WAIT_INTERRUPTED && !signals_restart())
			return -EINTR;
	}
}

long env_flock(struct call *c)
{
	struct call try = *c;

	if (c->arg[1] & LOCK_NB)
		return env_visible(c);
	try.arg[1] |= LOCK_NB;
	return lock_file(c, &try);
}

long env_fcntl(struct call *c)
{
	struct call try = *c;

	if (c->arg[1] != F_SETLKW && c->arg[1] != F_OFD_SETLKW)
		return env_pass(c);
	try.arg[1] = c->arg[1] == F_SETLKW ? F_SETLK : F_OFD_SETLK;
	return lock_file(c, &try);
}

/* ---- what the standard descriptors look like ---- */

long env_stat(struct call *c)
{
	struct stat *st = (void *)(c->nr == SYS_fstat ? c->arg[1] : c->arg[2]);
	bool by_fd = c->nr == SYS_fstat || ((c->arg[3] & AT_EMPTY_PATH) && !*(const char *)c->arg[1]);

	if (!by_fd || !is_standard(c->arg[0]))
		return env_pass(c);
	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFIFO | 0600;
	st->st_ino = 1000 + (ino_t)c->arg[0];
	st->st_nlink = 1;
	st->st_blksize = 4096;
	return 0;
}

long env_ioctl(struct call *c)
{
	if (is_standard(c->arg[0]) && (c->arg[1] & 0xff00) == 0x5400 && c->arg[1] != 0x541b /* FIONREAD */)
		return -ENOTTY;
	kind_forget_all(); /* FIONBIO */
	return env_pass(c);
}

long env_lseek(struct call *c) { return is_standard(c->arg[0]) ? -ESPIPE : env_pass(c); }
