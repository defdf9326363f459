// flags: -pthread

/* Joining in every way, detaching, and the errors of each. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "must.h"

static sem_t go, gone;

static void *waits(void *result)
{
	sem_wait(&go);
	return result;
}

static void *says_gone(void *unused)
{
	sem_post(&gone);
	return unused;
}

static void *joins_itself(void *unused)
{
	must(pthread_join(pthread_self(), NULL) == EDEADLK);
	return unused;
}

static pthread_t start(void *(*body)(void *), void *argument)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, body, argument) == 0);
	return thread;
}

static struct timespec later(clockid_t clock, int seconds, long nanoseconds)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec += seconds;
	t.tv_nsec += nanoseconds;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

int main(void)
{
	struct timespec t;
	void *result = NULL;

	sem_init(&go, 0, 0);
	sem_init(&gone, 0, 0);

	pthread_t thread = start(waits, (void *)1);
	must(pthread_tryjoin_np(thread, &result) == EBUSY);
	t = later(CLOCK_REALTIME, 0, 2000000);
	must(pthread_timedjoin_np(thread, &result, &t) == ETIMEDOUT);
	t = later(CLOCK_MONOTONIC, 0, 2000000);
	must(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &t) == ETIMEDOUT);
	sem_post(&go);
	must(pthread_join(thread, &result) == 0 && result == (void *)1);

	thread = start(waits, (void *)2);
	sem_post(&go);
	t = later(CLOCK_REALTIME, 100, 0);
	must(pthread_timedjoin_np(thread, &result, &t) == 0 && result == (void *)2);

	thread = start(waits, (void *)3);
	sem_post(&go);
	t = later(CLOCK_MONOTONIC, 100, 0);
	must(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &t) == 0 && result == (void *)3);

	thread = start(waits, (void *)4);
	sem_post(&go);
	while (pthread_tryjoin_np(thread, &result) == EBUSY)
		sched_yield();
	must(result == (void *)4);

	thread = start(waits, NULL);
	must(pthread_detach(thread) == 0);
	must(pthread_join(thread, NULL) == EINVAL);
	must(pthread_detach(thread) == EINVAL);
	sem_post(&go);

	must(pthread_join(start(joins_itself, NULL), NULL) == 0);
	for (int i = 0; i < 20; i++)
		must(pthread_detach(start(says_gone, NULL)) == 0);
	for (int i = 0; i < 20; i++)
		must(sem_wait(&gone) == 0);
	puts("ok");
	return 0;
}
