// flags: -pthread

/* Condition variables: hand-over by turns, broadcast, timeouts on both clocks, a bounded buffer. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "must.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t monotonic;
static int turn, released, waiting;

static void *takes_turns(void *number)
{
	long me = (long)number;

	for (int round = 0; round < 3; round++) {
		pthread_mutex_lock(&lock);
		while (turn % 4 != me)
			must(pthread_cond_wait(&changed, &lock) == 0);
		printf("%ld ", me);
		turn++;
		must(pthread_cond_broadcast(&changed) == 0);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *waits_for_release(void *unused)
{
	pthread_mutex_lock(&lock);
	waiting++;
	pthread_cond_signal(&changed);
	while (!released)
		pthread_cond_wait(&monotonic, &lock);
	waiting--;
	pthread_mutex_unlock(&lock);
	return unused;
}

static struct timespec in_milliseconds(clockid_t clock, long ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static long long since(clockid_t clock, struct timespec then)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (now.tv_sec - then.tv_sec) * 1000000000ll + now.tv_nsec - then.tv_nsec;
}

/* Nobody signals: each wait must end at its timeout, not before it, and hold the lock again. */
static void timeouts(void)
{
	struct timespec t = in_milliseconds(CLOCK_REALTIME, 3);

	pthread_mutex_lock(&lock);
	while (pthread_cond_timedwait(&changed, &lock, &t) == 0)
		;
	must(since(CLOCK_REALTIME, t) >= 0);
	t = in_milliseconds(CLOCK_MONOTONIC, 3);
	while (pthread_cond_timedwait(&monotonic, &lock, &t) == 0)
		;
	must(since(CLOCK_MONOTONIC, t) >= 0);
	t = in_milliseconds(CLOCK_MONOTONIC, 3);
	while (pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &t) == 0)
		;
	must(since(CLOCK_MONOTONIC, t) >= 0);
	t.tv_nsec = -1;
	must(pthread_cond_timedwait(&changed, &lock, &t) == EINVAL);
	must(pthread_mutex_trylock(&lock) == EBUSY);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t thread[5];
	pthread_condattr_t a;

	for (long i = 0; i < 4; i++)
		must(pthread_create(&thread[i], NULL, takes_turns, (void *)i) == 0);
	for (int i = 0; i < 4; i++)
		must(pthread_join(thread[i], NULL) == 0);
	puts("");

	must(pthread_condattr_init(&a) == 0);
	must(pthread_condattr_setclock(&a, CLOCK_MONOTONIC) == 0);
	must(pthread_cond_init(&monotonic, &a) == 0);
	for (int i = 0; i < 5; i++)
		must(pthread_create(&thread[i], NULL, waits_for_release, NULL) == 0);
	pthread_mutex_lock(&lock);
	while (waiting < 5)
		pthread_cond_wait(&changed, &lock);
	released = 1;
	must(pthread_cond_broadcast(&monotonic) == 0);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 5; i++)
		must(pthread_join(thread[i], NULL) == 0);
	must(waiting == 0);

	timeouts();
	must(pthread_cond_destroy(&monotonic) == 0);
	puts("ok");
	return 0;
}
