/*
 * Reading, writing and connecting.  A call that would block the process blocks only its fiber: the descriptor is polled
 * first, and the call is made when it can go through.
 */
#include "rt/kernel/io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/fibers/sched.h"
#include "rt/kernel/fd_kind.h"
#include "rt/kernel/fd_order.h"
#include "rt/kernel/local_fds.h"
#include "rt/kernel/signals.h"
#include "rt/kernel/above.h"

/* ---- waiting ---- */

bool io_is_nonblocking(int fd) { return fd_kind(fd).nonblocking; }

/* The timeout of a socket, as a deadline. */
static int64_t socket_deadline(int fd, int option)
{
	struct timeval tv = {0, 0};
	socklen_t size = sizeof(tv);

	if (world5(SYS_getsockopt, fd, SOL_SOCKET, option, &tv, &size) < 0 || (!tv.tv_sec && !tv.tv_usec))
		return NEVER;
	struct timespec t = {tv.tv_sec, tv.tv_usec * 1000};
	return kernel_deadline(CLOCK_MONOTONIC, &t, false);
}

long io_wait_ready(struct call *c, int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};
	int64_t deadline = 0;

	sched_point(POINT_SYNC, c->where);
	if (fd < 0)
		return 0; /* poll would wait for ever; the call itself returns the error */
	for (;;) {
		p.revents = 0;
		if (io_is_nonblocking(fd) || world3(SYS_poll, &p, 1, 0) != 0)
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

void io_done(void)
{
	omen.progress++;
	omen.io_dirty = omen.io_waiters != 0;
}

void io_done_at(long fd)
{
	if (local_fds_is_accepted((int)fd) && world_polls_sparingly())
		omen.progress++;
	else
		io_done();
}

long kernel_visible(struct call *c)
{
	sched_point(POINT_SYNC, c->where);
	long r = kernel_pass(c);
	io_done();
	return r;
}

/* ---- reading ---- */

long kernel_read(struct call *c)
{
	if (random_has(c->arg[0]) && c->nr == SYS_read) {
		random_fill((uint8_t *)c->arg[1], (size_t)c->arg[2]);
		return c->arg[2];
	}
	long e = io_wait_ready(c, (int)c->arg[0], POLLIN);
	long r = e ? e : kernel_pass(c);
	if (c->nr == SYS_read)
		signals_after_read((int)c->arg[0], (void *)c->arg[1], r);
	fd_order_after_read((int)c->arg[0], r);
	io_done_at(c->arg[0]);
	return r;
}

/* MSG_WAITALL and recvmmsg on a blocking socket: in pieces, so that other fibers run in between. */
static long receive_all(struct call *c, long unit)
{
	struct call piece = *c;
	long got = 0;

	piece.arg[3] = (c->arg[3] & ~MSG_WAITALL) | MSG_DONTWAIT;
	while (got < c->arg[2]) {
		piece.arg[1] = c->arg[1] + got * unit;
		piece.arg[2] = c->arg[2] - got;
		long r = kernel_pass(&piece);
		if (r == -EAGAIN) {
			r = io_wait_ready(c, (int)c->arg[0], POLLIN);
			if (!r)
				continue;
		}
		if (r <= 0)
			return got ? got : r;
		got += r;
	}
	return got;
}

long kernel_recv(struct call *c)
{
	long flags = c->nr == SYS_recvmsg ? c->arg[2] : c->arg[3];
	long r = 0;

	if (flags & MSG_DONTWAIT)
		sched_point(POINT_SYNC, c->where);
	else
		r = io_wait_ready(c, (int)c->arg[0], POLLIN);
	struct call once = *c;
	bool waits = !(flags & MSG_DONTWAIT) && !io_is_nonblocking((int)c->arg[0]);
	if (!r && waits && c->nr == SYS_recvfrom && (flags & MSG_WAITALL))
		r = receive_all(c, 1);
	else if (!r && waits && c->nr == SYS_recvmmsg && !(flags & MSG_WAITFORONE) && !c->arg[4])
		r = receive_all(c, sizeof(struct mmsghdr));
	else if (!r) {
		once.arg[3] |= waits && c->nr == SYS_recvmmsg
		                       ? MSG_WAITFORONE
		                       : 0; /* its timeout has passed as soon as it has waited once */
		r = kernel_pass(&once);
	}
	fd_order_after_read((int)c->arg[0], r);
	io_done_at(c->arg[0]);
	return r;
}

long kernel_accept(struct call *c)
{
	long e = io_wait_ready(c, (int)c->arg[0], POLLIN);
	long r = e ? e : kernel_pass(c);

	fd_order_after_read((int)c->arg[0], r);
	if (r >= 0)
		local_fds_accepted((int)r);
	io_done();
	return r;
}

/* ---- writing ---- */

/* Makes one call on a blocking descriptor without blocking the process. */
static long without_blocking(const struct call *c)
{
	long flags = world3(SYS_fcntl, c->arg[0], F_GETFL, 0);

	world3(SYS_fcntl, c->arg[0], F_SETFL, flags | O_NONBLOCK);
	long r = kernel_pass(c);
	world3(SYS_fcntl, c->arg[0], F_SETFL, flags);
	return r;
}

/* A write that may not fit into a pipe or socket at once: in pieces, so that other fibers run in between. */
static long write_in_pieces(struct call *c)
{
	struct call piece = *c;
	long done = 0;

	while (done < c->arg[2]) {
		piece.arg[1] = c->arg[1] + done;
		piece.arg[2] = c->arg[2] - done;
		long r = without_blocking(&piece);
		if (r == -EAGAIN) {
			io_done();
			r = io_wait_ready(c, (int)c->arg[0], POLLOUT);
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
	struct fd_kind k = fd_kind(fd);

	return k.open && !S_ISREG(k.mode) && !S_ISBLK(k.mode) && !k.nonblocking;
}

/* Writes the rest of a vector of which `done` bytes are written, element by element. */
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

/* sendmsg: the address and the control data go with the first piece. */
static long send_message(struct call *c)
{
	const struct msghdr *m = (const void *)c->arg[1];
	struct call first = *c;

	first.arg[2] |= MSG_DONTWAIT;
	for (;;) {
		long r = kernel_pass(&first);
		if (r == -EAGAIN) {
			r = io_wait_ready(c, (int)c->arg[0], POLLOUT);
			if (!r)
				continue;
		}
		return r <= 0 ? r : write_vector(c, m->msg_iov, m->msg_iovlen, r);
	}
}

static long write_ready(struct call *c, bool may_wait)
{
	if (!may_wait)
		return kernel_pass(c);
	switch (c->nr) {
	case SYS_write:
		return c->arg[2] > 4096 ? write_in_pieces(c) : kernel_pass(c);
	case SYS_sendto:
		return c->arg[2] > 4096 && !c->arg[4] ? write_in_pieces(c) : kernel_pass(c);
	case SYS_writev:
		return write_vector(c, (const void *)c->arg[1], (size_t)c->arg[2], 0);
	case SYS_sendmsg:
		return send_message(c);
	default:
		return kernel_pass(c);
	}
}

static long write_when_ready(struct call *c, bool no_wait)
{
	long e = 0;

	omen.current->waited = false;
	if (no_wait)
		sched_point(POINT_SYNC, c->where);
	else
		e = io_wait_ready(c, (int)c->arg[0], POLLOUT);
	fd_order_before_write((int)c->arg[0]);
	long r = e ? e : write_ready(c, !no_wait && may_block((int)c->arg[0]));
	fd_order_after_write((int)c->arg[0], omen.current->waited);
	io_done_at(c->arg[0]);
	if (r == -EPIPE) { /* the kernel has raised SIGPIPE, which is due now */
		signals_admit(ADMIT_SENT);
		signals_deliver();
	}
	return r;
}

/* The last byte that was written; '\n' where it is not known. */
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

/* Notes whether the last line of output is complete: the tool writes its findings on lines of their own. */
static void note_open_line(const struct call *c, long written)
{
	uint32_t own = c->arg[0] == 1 ? LINE_OUTPUT : LINE_ERROR, *open = &omen.board->result.open_lines;

	*open &= ~(own | LINE_EITHER);
	if (last_byte(c, written) != '\n')
		*open |= own | LINE_EITHER;
}

long kernel_write(struct call *c)
{
	long r = write_when_ready(c, fd_is_standard(c->arg[0]));

	if (r > 0 && fd_is_standard(c->arg[0]) && c->arg[0])
		note_open_line(c, r);
	return r;
}

long kernel_send(struct call *c)
{
	return write_when_ready(c, (c->nr == SYS_sendmsg ? c->arg[2] : c->arg[3]) & MSG_DONTWAIT);
}

/* sendfile and splice, in pieces: the call waits for the side that is not ready. */
long kernel_transfer(struct call *c)
{
	int out = (int)(c->nr == SYS_sendfile ? c->arg[0] : c->arg[2]);
	int in = (int)(c->nr == SYS_sendfile ? c->arg[1] : c->arg[0]);
	struct call piece = *c;
	long done = 0, r;

	sched_point(POINT_SYNC, c->where);
	if (!may_block(out) && !may_block(in))
		return kernel_visible(c);
	for (;;) {
		if ((r = io_wait_ready(c, in, POLLIN)) || (r = io_wait_ready(c, out, POLLOUT)))
			return done ? done : r;
		piece.arg[5] |= c->nr == SYS_splice ? 2 /* SPLICE_F_NONBLOCK */ : 0;
		fd_order_before_write(out);
		r = c->nr == SYS_splice ? kernel_pass(&piece) : without_blocking(&piece);
		fd_order_after_read(in, r);
		fd_order_before_write(out); /* together with what came in */
		io_done();
		if (r == -EAGAIN)
			continue;
		if (r <= 0)
			return done ? done : r;
		done += r;
		piece.arg[3] -= r;
		if (c->nr == SYS_splice ||
		    piece.arg[3] <= 0) /* splice may stop early; sendfile to a blocking socket does not */
			return done;
	}
}

/* ---- connecting ---- */

static long connect_socket(struct call *c)
{
	int fd = (int)c->arg[0], error = 0;
	socklen_t size = sizeof(error);

	sched_point(POINT_SYNC, c->where);
	fd_order_before_write(fd);
	if (io_is_nonblocking(fd))
		return kernel_visible(c);
	long r = without_blocking(c);
	io_done();
	while (r == -EAGAIN) { /* the queue of a local listener is full */
		sched_point(POINT_YIELD, c->where);
		r = without_blocking(c);
	}
	if (r != -EINPROGRESS)
		return r;
	r = io_wait_ready(c, fd, POLLOUT);
	if (!r && world5(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0)
		r = -error;
	return r;
}

long kernel_connect(struct call *c)
{
	long r = connect_socket(c);

	if (r >= 0 || r == -EINPROGRESS || r == -EINTR)
		local_fds_connects();
	return r;
}

long kernel_shutdown(struct call *c)
{
	fd_order_before_write((int)c->arg[0]);
	return kernel_visible(c);
}
