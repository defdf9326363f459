// flags: -pthread

/*
 * Functions of the C library that reach the runtime without a trap from their second call on: results and errors are
 * those of the kernel, also in a thread that is alone; signals interrupt them or not, and every one that blocks is a
 * cancellation point.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "must.h"

static int pair[2], pipes[2], epoll;
static char buffer[64];
static struct iovec vector = {buffer, sizeof buffer};
static struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};

#define FAILS(call, error) must((errno = 0, (call) == -1) && errno == (error))

static void fail(void)
{
	FAILS(read(-1, buffer, 1), EBADF);
	FAILS(write(-1, buffer, 1), EBADF);
	FAILS(readv(-1, &vector, 1), EBADF);
	FAILS(writev(-1, &vector, 1), EBADF);
	FAILS(pread(-1, buffer, 1, 0), EBADF);
	FAILS(pwrite(-1, buffer, 1, 0), EBADF);
	FAILS(recv(-1, buffer, 1, 0), EBADF);
	FAILS(recvfrom(-1, buffer, 1, 0, NULL, NULL), EBADF);
	FAILS(recvmsg(-1, &message, 0), EBADF);
	FAILS(send(-1, buffer, 1, 0), EBADF);
	FAILS(sendto(-1, buffer, 1, 0, NULL, 0), EBADF);
	FAILS(sendmsg(-1, &message, 0), EBADF);
	FAILS(epoll_ctl(-1, EPOLL_CTL_DEL, 0, NULL), EBADF);
	FAILS(recv(pair[0], buffer, 1, MSG_DONTWAIT), EAGAIN);
	FAILS(pwrite(pipes[1], buffer, 1, 0), ESPIPE);
	FAILS(send(pipes[1], buffer, 1, 0), ENOTSOCK);
}

static void pass(void)
{
	struct pollfd readable = {.fd = pipes[0], .events = POLLIN};
	struct epoll_event event;
	char got[8] = "";

	must(poll(&readable, 1, 0) == 0);
	must(epoll_wait(epoll, &event, 1, 0) == 0);
	must(write(pipes[1], "ab", 2) == 2);
	must(syscall(SYS_write, pipes[1], "cd", 2) == 2); /* always trapped */
	must(poll(&readable, 1, -1) == 1 && readable.revents == POLLIN);
	must(epoll_wait(epoll, &event, 1, -1) == 1 && event.events == EPOLLIN);
	must(read(pipes[0], got, 3) == 3 && !memcmp(got, "abc", 3));
	must(syscall(SYS_read, pipes[0], got, 3) == 1 && got[0] == 'd');
	must(send(pair[0], "ef", 2, 0) == 2);
	must(recv(pair[1], got, sizeof got, MSG_PEEK) == 2 && !memcmp(got, "ef", 2));
	must(recvmsg(pair[1], &message, 0) == 2 && !memcmp(buffer, "ef", 2));
}

/* Signals. */

static volatile sig_atomic_t handled;
static sigjmp_buf back;

static void handle(int signal)
{
	handled++;
	if (signal == SIGUSR2)
		must(write(pipes[1], "x", 1) == 1);
	if (signal == SIGHUP)
		siglongjmp(back, 1);
}

static sem_t asks;

static void *interrupt(void *arg)
{
	static const int signals[] = {SIGUSR1, SIGUSR2, SIGHUP};

	for (int i = 0; i < 3; i++) {
		sem_wait(&asks);
		usleep(1000); /* it may be in its call at this moment */
		pthread_kill(*(pthread_t *)arg, signals[i]);
	}
	return NULL;
}

static void set(int signal, int flags)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = flags};

	sigaction(signal, &action, NULL);
}

static void is_interrupted(void)
{
	pthread_t self = pthread_self(), other;
	struct pollfd readable = {.fd = pipes[0], .events = POLLIN};
	char got;

	set(SIGUSR1, 0);
	set(SIGUSR2, SA_RESTART);
	set(SIGHUP, SA_RESTART);
	must(pthread_create(&other, NULL, interrupt, &self) == 0);
	sem_post(&asks);
	while (handled == 0)
		must(poll(&readable, 1, 20) == 0 || errno == EINTR);
	sem_post(&asks);
	must(read(pipes[0], &got, 1) == 1 && got == 'x' && handled == 2);
	if (sigsetjmp(back, 1) == 0) {
		sem_post(&asks);
		must(read(pipes[0], &got, 1) == 7); /* never comes back */
	}
	must(handled == 3 && pthread_join(other, NULL) == 0);
}

/* Cancellation. */

static void block(int how)
{
	struct pollfd readable = {.fd = pipes[0], .events = POLLIN};
	struct epoll_event event;

	switch (how) {
	case 0:
		read(pipes[0], buffer, 1);
		break;
	case 1:
		readv(pipes[0], &vector, 1);
		break;
	case 2:
		recv(pair[0], buffer, 1, 0);
		break;
	case 3:
		recvfrom(pair[0], buffer, 1, 0, NULL, NULL);
		break;
	case 4:
		recvmsg(pair[0], &message, 0);
		break;
	case 5:
		poll(&readable, 1, -1);
		break;
	default:
		epoll_wait(epoll, &event, 1, -1);
	}
}

static int cleaned;
static sem_t there;

static void clean(void *mark) { cleaned += *(int *)mark; }

static void *waits(void *how)
{
	int one = 1;

	pthread_cleanup_push(clean, &one);
	sem_post(&there);
	block((int)(long)how);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *asked_before(void *arg)
{
	int one = 1, state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	sem_post(&there);
	sem_wait(&asks);
	must(write(pipes[1], "y", 1) == 1); /* is asked to end, but not now */
	must(read(pipes[0], buffer, 1) == 1);
	pthread_cleanup_push(clean, &one);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
	write(pipes[1], "z", 1); /* it ends before it writes */
	pthread_cleanup_pop(0);
	return arg;
}

static void is_cancelled(void)
{
	pthread_t thread;
	void *result;

	for (long i = 0; i < 14; i++) {
		must(pthread_create(&thread, NULL, waits, (void *)(i % 7)) == 0);
		sem_wait(&there);
		must(pthread_cancel(thread) == 0);
		must(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED && cleaned == i + 1);
	}
	must(pthread_create(&thread, NULL, asked_before, NULL) == 0);
	sem_wait(&there);
	must(pthread_cancel(thread) == 0);
	sem_post(&asks);
	must(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED && cleaned == 15);
	FAILS(recv(pair[0], buffer, 1, MSG_DONTWAIT), EAGAIN);
	must(fcntl(pipes[0], F_SETFL, O_NONBLOCK) == 0);
	FAILS(read(pipes[0], buffer, 1), EAGAIN); /* the z was not written */
}

int main(void)
{
	struct epoll_event event = {.events = EPOLLIN};

	must(pipe(pipes) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && (epoll = epoll_create1(0)) >= 0);
	must(epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &event) == 0);
	sem_init(&asks, 0, 0);
	sem_init(&there, 0, 0);
	for (int i = 0; i < 2; i++) {
		fail();
		pass();
	}
	is_interrupted();
	for (int i = 0; i < 2; i++) {
		fail();
		pass();
	}
	is_cancelled();
	puts("ok");
	return 0;
}
