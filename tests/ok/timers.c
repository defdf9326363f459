// flags: -pthread

/* Every kind of timer fires, as often as asked, and not before its time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

#define MS 1000000l

static atomic_int alarms, ticks;
static sem_t ticked;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

static void on_tick(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	must(info->si_code == SI_TIMER && info->si_value.sival_int == 5);
	ticks++;
}

static void on_thread(union sigval value)
{
	must(value.sival_int == 9);
	sem_post(&ticked);
}

static void itimer(void)
{
	struct sigaction action = {.sa_handler = on_alarm};
	struct itimerval each = {{0, 2000}, {0, 2000}}, off = {{0, 0}, {0, 0}};
	long long start = now();

	must(sigaction(SIGALRM, &action, NULL) == 0);
	must(setitimer(ITIMER_REAL, &each, NULL) == 0);
	while (alarms < 3)
		pause();
	must(now() - start >= 6 * MS);
	must(setitimer(ITIMER_REAL, &off, &each) == 0);
	must(each.it_interval.tv_usec == 2000);
	alarms = 0;
	must(alarm(100) == 0);
	must(alarm(0) > 90);
	must(alarms == 0);
}

static void posix_signal(void)
{
	struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 5};
	struct itimerspec each = {{0, 2 * MS}, {0, 2 * MS}}, left;
	timer_t timer;

	must(sigaction(SIGRTMIN, &action, NULL) == 0);
	must(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	must(timer_settime(timer, 0, &each, NULL) == 0);
	must(timer_gettime(timer, &left) == 0 && left.it_interval.tv_nsec == 2 * MS);
	while (ticks < 3)
		usleep(500);
	must(timer_delete(timer) == 0);
}

static void posix_thread(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_thread, .sigev_value.sival_int = 9};
	struct itimerspec each = {{0, 2 * MS}, {0, 2 * MS}};
	timer_t timer;

	must(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
	must(timer_settime(timer, 0, &each, NULL) == 0);
	for (int i = 0; i < 3; i++)
		while (sem_wait(&ticked) < 0)
			must(errno == EINTR);
	must(timer_delete(timer) == 0);
}

static void descriptor(void)
{
	struct itimerspec each = {{0, 2 * MS}, {0, 2 * MS}};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), quick = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	uint64_t expired, sum = 0;
	long long start = now();

	must(fd >= 0 && quick >= 0);
	must(read(quick, &expired, sizeof expired) == -1 && errno == EAGAIN);
	must(timerfd_settime(fd, 0, &each, NULL) == 0);
	while (sum < 3) {
		must(read(fd, &expired, sizeof expired) == sizeof expired);
		sum += expired;
	}
	must(now() - start >= 6 * MS);
	close(fd);
	close(quick);
}

int main(void)
{
	sem_init(&ticked, 0, 0);
	itimer();
	puts("itimer");
	posix_signal();
	puts("timer signal");
	posix_thread();
	puts("timer thread");
	descriptor();
	puts("ok");
	return 0;
}
