/*
 * Descriptors that no other process can reach: pipes, socket pairs and event counters that this process made, as long
 * as it has no children and has sent no descriptor away.  If blocked fibers wait for such descriptors only, nothing
 * will come, and that is a deadlock.
 */
#include "rt/kernel/local_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/kernel/fd_set.h"
#include "rt/kernel/fd_kind.h"
#include "rt/order/happens_before.h"

static struct {
	struct fdset local;
	struct fdset accepted; /* connections from other processes */
	bool exposed;          /* other processes may have our descriptors */
	bool connects;         /* this process makes connections */
} state;

static void mark(long fd, bool local) { fdset_put(&state.local, fd, local); }
static bool is_local(long fd) { return fdset_has(&state.local, fd); }

void local_fds_exposed(void) { state.exposed = true; }
void local_fds_made(int fd) { mark(fd, true); }
void local_fds_closed(int fd)
{
	mark(fd, false);
	fdset_put(&state.accepted, fd, false);
}

bool local_fds_is_accepted(int fd) { return fdset_has(&state.accepted, fd) && !state.connects; }
void local_fds_accepted(int fd) { fdset_put(&state.accepted, fd, true); }
void local_fds_connects(void) { state.connects = true; }

bool local_fds_only(const struct pollfd *fds, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (fds[i].fd >= 0 && !is_local(fds[i].fd))
			return false;
	return !state.exposed;
}

/* ---- the syscalls that make, copy and watch descriptors ---- */

long local_fds_pair(struct call *c)
{
	long r = kernel_visible(c);
	const int *fd = (const int *)(c->nr == SYS_socketpair ? c->arg[3] : c->arg[0]);

	if (r == 0) {
		mark(fd[0], true);
		mark(fd[1], true);
	}
	return r;
}

long local_fds_one(struct call *c)
{
	long fd = kernel_pass(c);

	mark(fd, true);
	return fd;
}

long local_fds_dup(struct call *c)
{
	long fd = kernel_visible(c);

	fd_kind_forget((int)fd);
	mark(fd, is_local(c->arg[0]));
	fdset_put(&state.accepted, fd, false);
	return fd;
}

long local_fds_fcntl(struct call *c)
{
	long r = kernel_fcntl(c);

	if (c->arg[1] == F_SETFL)
		fd_kind_forget_all(); /* other descriptors may refer to the same open file */
	if (c->arg[1] == F_DUPFD || c->arg[1] == F_DUPFD_CLOEXEC)
		mark(r, is_local(c->arg[0]));
	return r;
}

/* An epoll instance is local until it watches a descriptor that is not. */
long local_fds_epoll_ctl(struct call *c)
{
	if (c->arg[1] == EPOLL_CTL_ADD && !is_local(c->arg[2]))
		mark(c->arg[0], false);
	order_release_too(ORDER_ANY); /* the data that is registered with the descriptor */
	return kernel_visible(c);
}

long local_fds_close_range(struct call *c)
{
	for (long fd = c->arg[0]; fd <= c->arg[1] && fd < FDSET_MOST; fd++)
		local_fds_closed((int)fd);
	fd_kind_forget_all();
	return kernel_visible(c);
}

long local_fds_sendmsg(struct call *c)
{
	const struct msghdr *m = (const void *)c->arg[1];

	if (c->nr == SYS_sendmmsg || m->msg_controllen)
		local_fds_exposed();
	return kernel_send(c);
}
