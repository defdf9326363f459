/* Timers of every kind, in threads: a replay repeats what the threads do in between, and how often. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, expired;
static _Atomic long notified, work;
static volatile int stop;

static void on(int signal)
{
	if (signal == SIGALRM)
		alarms++;
	else
		expired++;
}

static void notify(union sigval value) { notified += value.sival_int; }

static void *spin(void *arg)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		work++;
	return arg;
}

static void start(int how, int signal, int ms)
{
	struct sigevent event = {.sigev_notify = how, .sigev_signo = signal, .sigev_notify_function = notify, .sigev_value.sival_int = 3};
	struct itimerspec every = {{0, ms * 1000000}, {0, ms * 1000000}};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &every, NULL))
		perror("timer");
}

int main(void)
{
	struct itimerspec every = {{0, 2000000}, {0, 2000000}};
	int fd = timerfd_create(CLOCK_REALTIME, 0);
	pthread_t thread;

	signal(SIGALRM, on);
	signal(SIGUSR1, on);
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 3000}, {0, 3000}}, NULL);
	start(SIGEV_SIGNAL, SIGUSR1, 7);
	start(SIGEV_THREAD, 0, 5);
	timerfd_settime(fd, 0, &every, NULL);
	pthread_create(&thread, NULL, spin, NULL);
	for (int i = 0; i < 20; i++) {
		uint64_t ticks = 0;
		struct timespec now;
		ssize_t n = read(fd, &ticks, sizeof ticks);
		clock_gettime(CLOCK_REALTIME, &now);
		printf("%ld.%09ld: %zd %lu ticks, %d alarms, %d expired, %ld notified, %ld done\n", (long)now.tv_sec, now.tv_nsec, n,
		       (unsigned long)ticks, (int)alarms, (int)expired, (long)notified, (long)work);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	return pthread_join(thread, NULL);
}
