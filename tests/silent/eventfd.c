// flags: -pthread

/* An eventfd says that the buffer is ready; epoll waits for it. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../races/threads.h"

static int event, poller, value;

static void *notify(void *unused)
{
	uint64_t one = 1;

	value = 5;
	if (write(event, &one, sizeof one) != sizeof one)
		abort();
	return unused;
}

static void *listen(void *unused)
{
	struct epoll_event e;
	uint64_t n;

	if (epoll_wait(poller, &e, 1, -1) != 1 || read(event, &n, sizeof n) != sizeof n || value != 5)
		abort();
	return unused;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN};

	event = eventfd(0, 0);
	poller = epoll_create1(0);
	if (event < 0 || poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, event, &e))
		return 1;
	together(notify, listen);
	return 0;
}
