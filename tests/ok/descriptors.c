// flags: -pthread

/* Threads that talk through pipes, socket pairs and eventfds, and wait with poll, select and epoll. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "must.h"

static int in[2], out[2], pair[2], event;

static void *echoes(void *unused)
{
	char c;

	while (read(in[0], &c, 1) == 1)
		must(write(out[1], &c, 1) == 1);
	close(out[1]);
	return unused;
}

static void *answers(void *unused)
{
	char buffer[32];
	ssize_t n;

	while ((n = recv(pair[1], buffer, sizeof buffer, 0)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			buffer[i]++;
		must(send(pair[1], buffer, (size_t)n, 0) == n);
	}
	return unused;
}

static void *adds(void *amount)
{
	uint64_t n = (uint64_t)(long)amount;

	must(write(event, &n, sizeof n) == sizeof n);
	return NULL;
}

static void *fills(void *unused)
{
	static char block[100000];

	/* Larger than the pipe: it blocks until the reader has made room. */
	for (size_t done = 0; done < sizeof block;) {
		ssize_t n = write(in[1], block, sizeof block - done);
		must(n > 0);
		done += (size_t)n;
	}
	close(in[1]);
	return unused;
}

static pthread_t start(void *(*body)(void *), void *argument)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, body, argument) == 0);
	return thread;
}

static void with_poll(void)
{
	char c;

	must(pipe(in) == 0 && pipe(out) == 0);
	pthread_t thread = start(echoes, NULL);
	for (const char *s = "poll"; *s; s++) {
		struct pollfd p = {.fd = out[0], .events = POLLIN};

		must(poll(&p, 1, 0) == 0);
		must(write(in[1], s, 1) == 1);
		must(poll(&p, 1, -1) == 1 && p.revents == POLLIN);
		must(read(out[0], &c, 1) == 1 && c == *s);
	}
	close(in[1]);
	must(read(out[0], &c, 1) == 0);
	must(pthread_join(thread, NULL) == 0);
	close(in[0]);
	close(out[0]);
}

static void with_select(void)
{
	struct timeval moment = {0, 1000};
	char c;
	fd_set set;

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	pthread_t thread = start(answers, NULL);
	FD_ZERO(&set);
	FD_SET(pair[0], &set);
	must(select(pair[0] + 1, &set, NULL, NULL, &moment) == 0);
	must(send(pair[0], "a", 1, 0) == 1);
	FD_SET(pair[0], &set);
	must(select(pair[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(pair[0], &set));
	must(recv(pair[0], &c, 1, MSG_PEEK) == 1 && c == 'b');
	must(recv(pair[0], &c, 1, 0) == 1);
	must(recv(pair[0], &c, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
	must(shutdown(pair[0], SHUT_WR) == 0);
	must(pthread_join(thread, NULL) == 0);
	close(pair[0]);
	close(pair[1]);
}

static void with_epoll(void)
{
	struct epoll_event wanted = {.events = EPOLLIN}, got;
	int e = epoll_create1(EPOLL_CLOEXEC);
	uint64_t sum = 0, n;
	pthread_t thread[3];

	event = eventfd(0, EFD_NONBLOCK);
	must(e >= 0 && event >= 0);
	wanted.data.fd = event;
	must(epoll_ctl(e, EPOLL_CTL_ADD, event, &wanted) == 0);
	must(epoll_wait(e, &got, 1, 1) == 0);
	for (long i = 0; i < 3; i++)
		thread[i] = start(adds, (void *)(i + 1));
	while (sum < 6) {
		must(epoll_wait(e, &got, 1, -1) == 1 && got.data.fd == event);
		must(read(event, &n, sizeof n) == sizeof n);
		sum += n;
	}
	must(sum == 6);
	for (int i = 0; i < 3; i++)
		must(pthread_join(thread[i], NULL) == 0);
	close(event);

	/* A blocking eventfd used as a semaphore. */
	event = eventfd(0, EFD_SEMAPHORE);
	thread[0] = start(adds, (void *)2);
	for (int i = 0; i < 2; i++)
		must(read(event, &n, sizeof n) == sizeof n && n == 1);
	must(pthread_join(thread[0], NULL) == 0);
	close(event);
	close(e);
}

static void full_pipe(void)
{
	char block[4096];
	size_t sum = 0;
	ssize_t n;

	must(pipe(in) == 0);
	pthread_t thread = start(fills, NULL);
	while ((n = read(in[0], block, sizeof block)) > 0)
		sum += (size_t)n;
	must(sum == 100000);
	must(pthread_join(thread, NULL) == 0);
	close(in[0]);
}

int main(void)
{
	with_poll();
	with_select();
	with_epoll();
	full_pipe();
	puts("ok");
	return 0;
}
