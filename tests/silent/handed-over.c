// flags: -pthread

// Objects that threads pass on through the kernel in other ways than by a write and a read.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static int ends[2], epoll, timer, value;

static void *adds(void *unused)
{
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = &value};

	value = 1;
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &e);
	return unused;
}

static void *takes_event(void *unused)
{
	struct epoll_event e;

	epoll_wait(epoll, &e, 1, -1);
	++*(int *)e.data.ptr;
	return unused;
}

static void *writes(void *unused)
{
	value++;
	write(ends[1], "x", 1);
	return unused;
}

static void *polls(void *unused)
{
	struct pollfd p = {.fd = ends[0], .events = POLLIN};

	poll(&p, 1, -1);
	value++;
	return unused;
}

static void *shuts(void *unused)
{
	value++;
	shutdown(ends[1], SHUT_WR);
	return unused;
}

static void *reads_end(void *unused)
{
	char c;

	while (read(ends[0], &c, 1) > 0)
		;
	value++;
	return unused;
}

static void *fills(void *unused)
{
	static char all[65536];

	write(ends[1], all, sizeof all);
	write(ends[1], all, 4096);
	value++;
	return unused;
}

static void *drains(void *unused)
{
	static char all[65536];

	value++;
	read(ends[0], all, sizeof all);
	return unused;
}

static void *sets_timer(void *unused)
{
	struct itimerspec soon = {.it_value.tv_nsec = 1000000};

	value++;
	timerfd_settime(timer, 0, &soon, NULL);
	return unused;
}

static void *waits_for_timer(void *unused)
{
	unsigned long times;

	read(timer, &times, sizeof times);
	value++;
	return unused;
}

static void *locks_stream(void *unused)
{
	flockfile(stdout);
	value++;
	funlockfile(stdout);
	return unused;
}

int main(void)
{
	pipe(ends);
	write(ends[1], "x", 1);
	epoll = epoll_create1(0);
	together(adds, takes_event);
	pipe(ends);
	together(writes, polls);
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	together(shuts, reads_end);
	pipe(ends);
	together(fills, drains);
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	together(sets_timer, waits_for_timer);
	together(locks_stream, locks_stream);
	return value != 12;
}
