// flags: -pthread
// needs-tool: sleeps for days

/*
 * Time is virtual: a sleep of days takes no time, sleepers wake in the order of their deadlines, every clock and every
 * way to wait agrees with every other.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order[4], woken;

static double now(clockid_t clock)
{
	struct timespec t;

	must(clock_gettime(clock, &t) == 0);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A wait of `seconds` moves all clocks by that much, and by little more. */
static void took(double seconds, double monotonic, double realtime, time_t whole)
{
	double m = now(CLOCK_MONOTONIC) - monotonic, r = now(CLOCK_REALTIME) - realtime;

	must(m >= seconds && m < seconds + 2);
	must(r >= seconds && r < seconds + 2);
	must(time(NULL) - whole >= (time_t)seconds - 1 && time(NULL) - whole <= (time_t)seconds + 3);
}

#define TAKES(seconds, call)                                                                                           \
	do {                                                                                                           \
		double m = now(CLOCK_MONOTONIC), r = now(CLOCK_REALTIME);                                              \
		time_t w = time(NULL);                                                                                 \
		must(call);                                                                                            \
		took(seconds, m, r, w);                                                                                \
	} while (0)

static void *sleeps(void *number)
{
	sleep(1000 * (4 - (unsigned)(long)number));
	pthread_mutex_lock(&lock);
	order[woken++] = (int)(long)number;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	struct timespec day = {86400, 0}, until;
	struct timeval tv = {3000, 0}, t1, t2;
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	pthread_t thread[4];

	TAKES(1000, sleep(1000) == 0);
	TAKES(86400, nanosleep(&day, NULL) == 0);
	TAKES(500, poll(NULL, 0, 500 * 1000) == 0);
	TAKES(3000, select(0, NULL, NULL, NULL, &tv) == 0);
	TAKES(0.5, usleep(500000) == 0);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 700;
	TAKES(700, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 900;
	pthread_mutex_lock(&lock);
	TAKES(900, pthread_cond_timedwait(&never, &lock, &until) == ETIMEDOUT);
	pthread_mutex_unlock(&lock);

	gettimeofday(&t1, NULL);
	sleep(10);
	gettimeofday(&t2, NULL);
	must(t2.tv_sec - t1.tv_sec >= 10 && t2.tv_sec - t1.tv_sec <= 11);

	for (long i = 0; i < 4; i++)
		must(pthread_create(&thread[i], NULL, sleeps, (void *)i) == 0);
	for (int i = 0; i < 4; i++)
		must(pthread_join(thread[i], NULL) == 0);
	for (int i = 0; i < 4; i++)
		must(order[i] == 3 - i);
	puts("ok");
	return 0;
}
