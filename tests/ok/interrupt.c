// flags: -pthread

/* A handler interrupts a blocked call: without SA_RESTART it returns EINTR, with SA_RESTART it continues. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

static int channel[2];
static atomic_int handled, interrupted;

static void handler(int number)
{
	(void)number;
	handled++;
}

static void install(int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	must(sigaction(SIGUSR1, &action, NULL) == 0);
}

static int reads(void)
{
	char c;

	return (int)read(channel[0], &c, 1);
}

static int polls(void)
{
	struct pollfd p = {.fd = channel[0], .events = POLLIN};

	return poll(&p, 1, -1);
}

static int sleeps(void)
{
	struct timespec t = {100000, 0}, rest;

	if (nanosleep(&t, &rest) == 0)
		return 0;
	must(rest.tv_sec > 0 && rest.tv_sec <= 100000);
	return -1;
}

static int suspends(void)
{
	sigset_t none;

	sigemptyset(&none);
	return sigsuspend(&none);
}

static void *until_interrupted(void *call)
{
	must(((int (*)(void))call)() == -1 && errno == EINTR);
	interrupted = 1;
	return NULL;
}

/* Sends signals until one meets the call: a signal that comes before the call interrupts nothing. */
static void interrupts(const char *what, int (*call)(void))
{
	pthread_t thread;

	install(0);
	interrupted = 0;
	must(pthread_create(&thread, NULL, until_interrupted, call) == 0);
	while (!interrupted) {
		must(pthread_kill(thread, SIGUSR1) == 0);
		usleep(100);
	}
	must(pthread_join(thread, NULL) == 0);
	printf("%s\n", what);
}

static void *reads_on(void *unused)
{
	char c;

	must(read(channel[0], &c, 1) == 1 && c == 'x');
	return unused;
}

static void restarts(void)
{
	pthread_t thread;

	install(SA_RESTART);
	handled = 0;
	must(pthread_create(&thread, NULL, reads_on, NULL) == 0);
	for (int i = 1; i <= 3; i++) {
		must(pthread_kill(thread, SIGUSR1) == 0);
		while (handled < i)
			usleep(100);
	}
	must(write(channel[1], "x", 1) == 1);
	must(pthread_join(thread, NULL) == 0);
}

int main(void)
{
	must(pipe(channel) == 0);
	interrupts("read", reads);
	interrupts("poll", polls);
	interrupts("nanosleep", sleeps);
	interrupts("sigsuspend", suspends);
	restarts();
	puts("ok");
	return 0;
}
