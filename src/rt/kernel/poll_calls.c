/* poll, epoll and select: a fiber waits for several descriptors. */
#include "rt/kernel/kernel.h"

#include <errno.h>
#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/fibers/sched.h"
#include "rt/kernel/signals.h"
#include "rt/order/happens_before.h"
#include "rt/kernel/above.h"

#define SELECT_MAX 65536

struct poller {
	struct call *call;
	struct pollfd *fds;
	uint32_t nfds;
	int64_t deadline;            /* NEVER, or 0: do not wait */
	const uint64_t *mask;        /* signals that are blocked meanwhile, or NULL */
	long (*look)(struct call *); /* makes the call without waiting */
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
		/* a poll of no descriptor is a sleep: the world is not asked */
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
	return t->tv_sec || t->tv_nsec ? kernel_deadline(CLOCK_MONOTONIC, t, false) : 0;
}

static int64_t millisecond_deadline(int ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000l};

	return poll_deadline(ms < 0 ? NULL : &t);
}

static long look_poll(struct call *c) { return world3(SYS_poll, c->arg[0], c->arg[1], 0); }

long kernel_ppoll(struct call *c)
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

long kernel_epoll(struct call *c)
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
 * select: its sets may be larger than an fd_set, and the stack small.  So the descriptors become pollfds, as many as
 * are asked for, and the answer is written back into the sets.
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

/* Clears the bits of descriptors that are not ready.  Returns how many bits stay. */
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

long kernel_select(struct call *c)
{
	struct {
		const uint64_t *mask;
		size_t size;
	} *masked = (void *)c->arg[5];
	struct timespec limit = {0, 0};

	if (c->arg[0] < 0 || c->arg[0] > SELECT_MAX)
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
