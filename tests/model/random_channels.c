/* Random calls on descriptors of any kind, pipes, sockets and counters, and on what watches them. */
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "random.h"

/* Descriptors. */

void do_dup(void)
{
	int f = fd(), i = (int)any(SLOTS), r;

	if (slot[i] < 0)
		return;
	switch (any(4)) {
	case 0:
		r = dup(f);
		print_result(r, "dup(%d)", f);
		keep(r);
		break;
	case 1:
		r = dup2(f, slot[i]);
		print_result(r, "dup2(%d, %d)", f, slot[i]);
		break;
	case 2:
		r = dup3(f, slot[i], O_CLOEXEC);
		print_result(r, "dup3(%d, %d)", f, slot[i]);
		break;
	default:
		r = fcntl(f, chance(50) ? F_DUPFD : F_DUPFD_CLOEXEC, (int)any(60));
		print_result(r, "dupfd(%d)", f);
		keep(r);
	}
}

void do_fcntl(void)
{
	int f = fd(), flags;
	struct flock l = {.l_type = (short)(chance(50) ? F_WRLCK : F_RDLCK), .l_whence = SEEK_SET, .l_len = any(100)};

	switch (any(6)) {
	case 0:
		print_result(fcntl(f, F_GETFL), "getfl(%d)", f);
		break;
	case 1:
		flags = fcntl(f, F_GETFL);
		if (flags >= 0 && !is_socket(f)) { /* sockets keep their flags, so that no call waits */
			flags = chance(50) ? flags ^ O_NONBLOCK : flags ^ O_APPEND;
			print_result(fcntl(f, F_SETFL, flags), "setfl(%d, 0%o)", f, flags);
		}
		break;
	case 2:
		print_result(fcntl(f, F_GETFD), "getfd(%d)", f);
		break;
	case 3:
		print_result(fcntl(f, F_SETFD, (int)any(2)), "setfd(%d)", f);
		break;
	case 4:
		f = fd_of(S_IFREG);
		print_result(fcntl(f, F_SETLK, &l), "setlk(%d, %d)", f, l.l_type);
		break;
	default:
		print_result(fcntl(f, F_GETLK, &l), "getlk(%d) %d", f, l.l_type);
	}
}

void do_ioctl(void)
{
	int f = fd(), n = 0;

	if (is_socket(f) && chance(50))
		return;
	long r = ioctl(f, FIONREAD, &n);
	print_result(r, "available(%d) %d", f, r ? 0 : n);
}

void do_flock(void)
{
	int f = chance(80) ? fd_of(S_IFREG) : fd_of(S_IFIFO), how = (chance(50)   ? LOCK_SH
	                                                             : chance(50) ? LOCK_EX
	                                                                          : LOCK_UN) |
	                                                            LOCK_NB;

	print_result(flock(f, how), "flock(%d, %d)", f, how);
}

void do_close(void) { drop((int)any(SLOTS)); }

void do_wrong(void)
{
	int f = chance(50) ? -1 : 444;

	switch (any(6)) {
	case 0:
		print_result(close(f), "close(%d)", f);
		break;
	case 1:
		print_result(close_range(400, 300, 0), "close_range");
		break;
	case 2:
		print_result(fsync(f), "fsync(%d)", f);
		break;
	case 3:
		f = fd();
		print_result(fdatasync(f), "fdatasync(%d)", f);
		break;
	case 4:
		print_result(socket(AF_UNIX, 77, 0), "socket of no type");
		break;
	default:
		print_result(epoll_create1(12345), "epoll_create1 with flags");
	}
}

/* Channels. */

void do_pipe(void)
{
	int p[2], flags = (chance(70) ? O_NONBLOCK : 0) | (chance(10) ? O_DIRECT : 0) | (chance(20) ? O_CLOEXEC : 0);
	int r = pipe2(p, flags);

	print_result(r, "pipe2(0%o) %d %d", flags, r ? 0 : p[0], r ? 0 : p[1]);
	if (!r) {
		keep(p[0]);
		keep(p[1]);
	}
}

void do_pair(void)
{
	static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	int type = types[any(3)] | SOCK_NONBLOCK, p[2];
	int r = socketpair(AF_UNIX, type, 0, p);

	print_result(r, "socketpair(%d) %d %d", type, r ? 0 : p[0], r ? 0 : p[1]);
	if (!r) {
		keep(p[0]);
		keep(p[1]);
	}
}

static int listener(bool inet, struct sockaddr_storage *at, socklen_t *size)
{
	static int number;
	int s = socket(inet ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	memset(at, 0, sizeof *at);
	if (inet) {
		struct sockaddr_in *in = (void *)at;
		in->sin_family = AF_INET;
		in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		*size = sizeof *in;
	} else {
		struct sockaddr_un *un = (void *)at;
		un->sun_family = AF_UNIX;
		snprintf(un->sun_path, sizeof un->sun_path, "s%d", number++);
		*size = sizeof *un;
	}
	print_result(bind(s, (void *)at, *size), "bind(%d)", s);
	print_result(bind(s, (void *)at, *size), "bind again");
	print_result(listen(s, 8), "listen");
	socklen_t n = sizeof *at;
	if (inet)
		print_result(getsockname(s, (void *)at, &n), "getsockname %u", n);
	return s;
}

/* Waits until what was sent has arrived. */
static void at_once(int f)
{
	int yes = 1;

	setsockopt(f, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/* A connection to this program. */
void do_connect(void)
{
	struct sockaddr_storage at, peer, own;
	socklen_t size, peer_size = sizeof peer, own_size = sizeof own;
	bool inet = chance(50);
	int l = listener(inet, &at, &size), c = socket(at.ss_family, SOCK_STREAM, 0);

	print_result(accept(l, NULL, NULL), "accept of nobody");
	if (chance(20))
		print_result(write(c, bytes, 5), "write before connect");
	if (chance(20))
		print_result(getpeername(c, (void *)&peer, &peer_size), "getpeername before connect");
	print_result(connect(c, (void *)&at, size), "connect(%d, %s)", c, inet ? "inet" : "unix");
	print_result(can(l, POLLIN), "somebody waits");
	int s = accept4(l, (void *)&peer, &peer_size, SOCK_NONBLOCK);
	print_result(s, "accept %u", peer_size);
	if (chance(30))
		print_result(connect(c, (void *)&at, size), "connect again");
	if (inet && !getsockname(c, (void *)&own, &own_size))
		printf("ports %s\n", ((struct sockaddr_in *)&own)->sin_port == ((struct sockaddr_in *)&peer)->sin_port
		                             ? "agree"
		                             : "differ");
	print_result(fcntl(c, F_SETFL, O_NONBLOCK), "nonblocking");
	at_once(c);
	at_once(s);
	keep(c);
	keep(s);
	if (chance(50)) {
		print_result(close(l), "close listener");
		int again = socket(at.ss_family, SOCK_STREAM, 0);
		print_result(connect(again, (void *)&at, size), "connect to nobody");
		close(again);
	} else {
		keep(l);
	}
}

void do_send(void)
{
	int f = fd_of(S_IFSOCK), flags = MSG_NOSIGNAL | (chance(30) ? MSG_DONTWAIT : 0);
	size_t n = any(300);

	if (!may_send(f, n) || (!is_socket(f) && would_wait(f, POLLOUT)))
		return;
	fill(n);
	print_result(send(f, bytes, n, flags), "send(%d, %zu)", f, n);
}

void do_receive(void)
{
	int f = fd_of(S_IFSOCK), flags = (chance(30) ? MSG_PEEK : 0) | (chance(20) ? MSG_TRUNC : 0);
	size_t n = any(600);
	long r;

	if (would_wait(f, POLLIN))
		return;
	if (type_of(f) <= SOCK_STREAM)
		flags &= ~MSG_TRUNC;
	if (chance(70)) {
		r = recv(f, got, n, flags);
		print_result(r, "recv(%d, %zu, %d) %08x", f, n, flags, hash(got, r < (long)n ? r : (long)n));
	} else {
		struct iovec v[2] = {{got, n / 2}, {got + n / 2, n / 2}};
		struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
		r = recvmsg(f, &m, flags);
		print_result(r, "recvmsg(%d, %zu, %d) %d %08x", f, n, flags, r >= 0 ? m.msg_flags : 0,
		             hash(got, r < (long)n ? r : (long)n));
	}
}

void do_shutdown(void)
{
	int f = fd_of(S_IFSOCK), how = (int)any(3);

	if (type_of(f) == SOCK_DGRAM) /* which of two errors comes first depends on the kernel */
		return;
	print_result(shutdown(f, how), "shutdown(%d, %d)", f, how);
}

void do_option(void)
{
	static const int options[] = {SO_TYPE, SO_DOMAIN, SO_ACCEPTCONN, SO_ERROR};
	int f = fd_of(S_IFSOCK), value = 0, option = options[any(COUNT(options))];
	socklen_t size = sizeof value;
	long r = getsockopt(f, SOL_SOCKET, option, &value, &size);

	print_result(r, "getsockopt(%d, %d) %d", f, option, r ? 0 : value);
}

void do_counter(void)
{
	int flags = EFD_NONBLOCK | (chance(30) ? EFD_SEMAPHORE : 0), f = eventfd(any(4), flags);

	print_result(f, "eventfd(%d)", flags);
	keep(f);
}

void do_count(void)
{
	uint64_t values[] = {0, 1, 5, UINT64_MAX, UINT64_MAX - 1}, value = values[any(5)];
	int f = any_slot();

	if (is_counter(f))
		print_result(write(f, &value, sizeof value), "count(%d, %lu)", f, value);
}

/* From one descriptor to another. */

static dev_t device_of(int f)
{
	struct stat st;

	return f < 0 || fstat(f, &st) ? 0 : st.st_dev;
}

void do_copy(void)
{
	int in = fd(), out = fd();
	off_t from = any(4000), to = any(4000), *at = chance(50) ? &from : NULL, *where = chance(50) ? &to : NULL;
	size_t n = 1 + any(3000);
	long r;

	if (would_wait(in, POLLIN) || would_wait(out, POLLOUT) || is_socket(out) || is_socket(in) || is(out, S_IFIFO))
		return;
	switch (any(3)) {
	case 0:
		r = sendfile(out, in, at, n);
		print_result(r, "sendfile(%d, %d, %s%zu) %ld", out, in, at ? "at " : "", n, from);
		break;
	case 1:
		r = splice(in, at, out, where, n, SPLICE_F_NONBLOCK);
		print_result(r, "splice(%d, %d, %s%s%zu) %ld %ld", in, out, at ? "at " : "", where ? "to " : "", n,
		             from, to);
		break;
	default:
		if (is(in, S_IFREG) && is(out, S_IFREG) && device_of(in) != device_of(out)) /* kernels differ */
			return;
		r = copy_file_range(in, at, out, where, n, 0);
		print_result(r, "copy_file_range(%d, %d, %s%s%zu) %ld %ld", in, out, at ? "at " : "",
		             where ? "to " : "", n, from, to);
	}
}

/* Moves a file into a pipe that has room, and out again. */
void do_splice(void)
{
	int p[2], f = fd_of(S_IFREG);
	size_t n = 1 + any(3000);

	if (!is(f, S_IFREG) || pipe2(p, O_NONBLOCK))
		return;
	long r = chance(50) ? splice(f, NULL, p[1], NULL, n, 0) : sendfile(p[1], f, NULL, n);
	print_result(r, "into a pipe(%d, %zu)", f, n);
	if (r > 0)
		print_result(read(p[0], got, BIG), "out of it %08x", hash(got, r));
	close(p[0]);
	close(p[1]);
}

/* Readiness. */

void do_poll(void)
{
	struct pollfd p[4];
	int n = (int)any(5);

	for (int i = 0; i < n; i++)
		p[i] = (struct pollfd){.fd = fd(), .events = (short)(any(8) | (chance(20) ? POLLRDHUP : 0))};
	long r = poll(p, (nfds_t)n, 0);
	printf("poll");
	for (int i = 0; i < n; i++)
		printf(" %d:%x:%x", p[i].fd, p[i].events, p[i].revents);
	print_result(r, " ");
}

void do_select(void)
{
	fd_set in, out;
	struct timeval none = {0, 0};

	FD_ZERO(&in);
	FD_ZERO(&out);
	for (int i = 0; i < 4; i++) {
		int f = any_slot();
		if (f >= 0 && chance(60))
			FD_SET(f, &in);
		if (f >= 0 && chance(60))
			FD_SET(f, &out);
	}
	long r = select(100, &in, &out, NULL, &none);
	print_result(r, "select %08x %08x", r >= 0 ? hash(&in, sizeof in) : 0, r >= 0 ? hash(&out, sizeof out) : 0);
}

static int watcher = -1;

void do_watch(void)
{
	static const uint32_t kinds[] = {EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT, EPOLLIN | EPOLLRDHUP};
	struct epoll_event e = {.events = kinds[any(4)]};
	int f = fd(), what = 1 + (int)any(chance(5) ? 5 : 3);

	if (watcher < 0 || chance(3)) {
		if (watcher >= 0)
			close(watcher);
		watcher = epoll_create1(0);
		print_result(watcher, "epoll_create");
	}
	bool datagrams =
	        is_socket(f) && type_of(f) == SOCK_DGRAM; /* whether a failed call wakes depends on the kernel */
	e.events |= (chance(40) && !datagrams ? EPOLLET : 0) | (chance(20) ? EPOLLONESHOT : 0);
	e.data.fd = f;
	print_result(epoll_ctl(watcher, what, f, &e), "epoll_ctl(%d, %d, %x)", what, f, e.events);
}

static int by_fd(const void *a, const void *b)
{
	return ((const struct epoll_event *)a)->data.fd - ((const struct epoll_event *)b)->data.fd;
}

void do_watched(void)
{
	struct epoll_event e[32];

	if (watcher < 0)
		return;
	int n = epoll_wait(watcher, e, 32, 0);
	qsort(e, n > 0 ? (size_t)n : 0, sizeof *e, by_fd);
	printf("epoll");
	for (int i = 0; i < n; i++)
		printf(" %d:%x", e[i].data.fd, e[i].events);
	print_result(n, " ");
}
