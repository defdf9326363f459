/*
 * What programs ask the kernel for all the time, without the trap: these functions of the C library are interposed
 * and call kernel.h directly, which saves the 2 µs of a signal.
 *
 * Nothing else changes: they are cancellation points, and each call has the place where the C library would have
 * trapped.  That place is learnt from the first call, which the C library makes itself.
 */
#include "rt/kernel/untrapped.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/single_threaded.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt/kernel/kernel.h"
#include "rt/core/real.h"

/* X(name, syscall, is it a cancellation point) */
#define CALLS(X)                                                                                                       \
	X(read, SYS_read, true)                                                                                        \
	X(write, SYS_write, true)                                                                                      \
	X(readv, SYS_readv, true)                                                                                      \
	X(writev, SYS_writev, true)                                                                                    \
	X(pread64, SYS_pread64, true)                                                                                  \
	X(pwrite64, SYS_pwrite64, true)                                                                                \
	X(recv, SYS_recvfrom, true)                                                                                    \
	X(recvfrom, SYS_recvfrom, true)                                                                                \
	X(recvmsg, SYS_recvmsg, true)                                                                                  \
	X(send, SYS_sendto, true)                                                                                      \
	X(sendto, SYS_sendto, true)                                                                                    \
	X(sendmsg, SYS_sendmsg, true)                                                                                  \
	X(poll, SYS_poll, true)                                                                                        \
	X(epoll_wait, SYS_epoll_wait, true)                                                                            \
	X(epoll_ctl, SYS_epoll_ctl, false)

enum {
#define X(name, nr, cancels) CALL_##name,
	CALLS(X)
#undef X
	        NCALLS
};

#define FUNCTION_SIZE 512 /* at most: a trap from further away belongs to another function */

static struct {
	long (*real[NCALLS])(long, long, long, long, long, long);
	uint64_t where[NCALLS][2]; /* without threads it traps elsewhere; 0: not known yet */
	bool learns;               /* the next trap shows the place of: */
	uint32_t call;
} state;

static const struct {
	const char *name;
	long nr;
	bool cancels;
} calls[NCALLS] = {
#define X(name, nr, cancels) {#name, nr, cancels},
        CALLS(X)
#undef X
};

static void find_real(void)
{
	const char *names[NCALLS];

	for (uint32_t i = 0; i < NCALLS; i++)
		names[i] = calls[i].name;
	real_find((void **)&state.real, names, NCALLS);
}

static bool is_alone(void) { return __libc_single_threaded; }

void untrapped_learn(long nr, uint64_t where)
{
	if (likely(!state.learns))
		return;
	state.learns = false;
	if (nr == calls[state.call].nr && where / 2 - (uint64_t)state.real[state.call] < FUNCTION_SIZE)
		state.where[state.call][is_alone()] = where;
}

static COLD long ask_really(uint32_t i, const long a[6])
{
	if (!state.real[0])
		find_real();
	/* the C library answers before the runtime has control, in a child that shares our memory, and at the end */
	state.learns = !omen.off && omen.current;
	state.call = i;
	return state.real[i](a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long ask(uint32_t i, const long a[6])
{
	bool cancels = calls[i].cancels && !is_alone();
	uint64_t where = state.where[i][is_alone()];
	int type = PTHREAD_CANCEL_DEFERRED;

	if (unlikely(omen.off || !omen.current || !where))
		return ask_really(i, a);
	struct call c = {.nr = calls[i].nr, .arg = {a[0], a[1], a[2], a[3], a[4], a[5]}, .where = where};
	if (cancels)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	struct entry outer = current_fiber->entry;
	current_fiber->entry = (struct entry){.call = &c, .where = where};
	long r = kernel_call(&c);
	current_fiber->entry = outer;
	if (cancels)
		pthread_setcanceltype(type, NULL);
	if (r >= 0 || r < -4095)
		return r;
	errno = (int)-r;
	return -1;
}

#define ASK(name, ...) ask(CALL_##name, (const long[6]){__VA_ARGS__})
#define FD(fd)         (long)(uint32_t)(fd) /* as the C library leaves it in the register */

EXPORT ssize_t read(int fd, void *to, size_t size) { return ASK(read, FD(fd), (long)to, (long)size); }
EXPORT ssize_t write(int fd, const void *from, size_t size) { return ASK(write, FD(fd), (long)from, (long)size); }
EXPORT ssize_t readv(int fd, const struct iovec *to, int n) { return ASK(readv, FD(fd), (long)to, FD(n)); }
EXPORT ssize_t writev(int fd, const struct iovec *from, int n) { return ASK(writev, FD(fd), (long)from, FD(n)); }
EXPORT ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
	return ASK(pread64, FD(fd), (long)to, (long)size, at);
}
EXPORT ssize_t pread(int fd, void *to, size_t size, off_t at) __attribute__((alias("pread64")));
EXPORT ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at)
{
	return ASK(pwrite64, FD(fd), (long)from, (long)size, at);
}
EXPORT ssize_t pwrite(int fd, const void *from, size_t size, off_t at) __attribute__((alias("pwrite64")));

EXPORT ssize_t recv(int fd, void *to, size_t size, int flags)
{
	return ASK(recv, FD(fd), (long)to, (long)size, FD(flags));
}
EXPORT ssize_t recvfrom(int fd, void *restrict to, size_t size, int flags, struct sockaddr *restrict who,
                        socklen_t *restrict length)
{
	return ASK(recvfrom, FD(fd), (long)to, (long)size, FD(flags), (long)who, (long)length);
}
EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags) { return ASK(recvmsg, FD(fd), (long)m, FD(flags)); }
EXPORT ssize_t send(int fd, const void *from, size_t size, int flags)
{
	return ASK(send, FD(fd), (long)from, (long)size, FD(flags));
}
EXPORT ssize_t sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *who, socklen_t length)
{
	return ASK(sendto, FD(fd), (long)from, (long)size, FD(flags), (long)who, FD(length));
}
EXPORT ssize_t sendmsg(int fd, const struct msghdr *m, int flags) { return ASK(sendmsg, FD(fd), (long)m, FD(flags)); }

EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout) { return (int)ASK(poll, (long)fds, (long)n, FD(timeout)); }
EXPORT int epoll_wait(int fd, struct epoll_event *to, int n, int timeout)
{
	return (int)ASK(epoll_wait, FD(fd), (long)to, FD(n), FD(timeout));
}
EXPORT int epoll_ctl(int epoll, int how, int fd, struct epoll_event *event)
{
	return (int)ASK(epoll_ctl, FD(epoll), FD(how), FD(fd), (long)event);
}
