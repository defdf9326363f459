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

#define SECOND 1000000000ll

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order[4], woken;

static long long now(clockid_t clock)
{
	struct timespec t;

	must(clock_gettime(clock, &t) == 0);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* A wait advances all clocks by its length, and by little more. */
static int took(long long length, long long monotonic, long long realtime, time_t whole)
{
	long long m = now(CLOCK_MONOTONIC) - monotonic, r = now(CLOCK_REALTIME) - realtime, w = time(NULL) - whole;

	return m >= length && m < length + 2 * SECOND && r >= length && r < length + 2 * SECOND &&
	       w >= length / SECOND - 1 && w <= length / SECOND + 3;
}

#define TAKES(seconds, call)                                                                                           \
	do {                                                                                                           \
		long long m = now(CLOCK_MONOTONIC), r = now(CLOCK_REALTIME);                                           \
		time_t w = time(NULL);                                                                                 \
		must(call);                                                                                            \
		must(took((long long)((seconds)*SECOND), m, r, w));                                                    \
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
	/* The absolute time is computed before the stopwatch starts: a second more covers that. */
	until.tv_sec += 701;
	TAKES(700, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 901;
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
