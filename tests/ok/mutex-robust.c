// flags: -pthread

/* Robust mutexes whose owner dies, and mutexes with priority inheritance (which use other futex operations). */
#define _GNU_SOURCE
#include <pthread.h>

#include "must.h"

static pthread_mutex_t mutex;
static int counter;

static void make(int robust, int inherit)
{
	pthread_mutexattr_t a;

	must(pthread_mutexattr_init(&a) == 0);
	if (robust)
		must(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
	if (inherit)
		must(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
	must(pthread_mutex_init(&mutex, &a) == 0);
	must(pthread_mutexattr_destroy(&a) == 0);
}

static void *dies_with_it(void *unused)
{
	must(pthread_mutex_lock(&mutex) == 0);
	return unused;
}

static void *waits_for_it(void *unused)
{
	int e = pthread_mutex_lock(&mutex);

	/* The first thread repairs it; the others see a consistent mutex again. */
	if (e == EOWNERDEAD)
		must(pthread_mutex_consistent(&mutex) == 0);
	else
		must(e == 0);
	counter += e == EOWNERDEAD;
	must(pthread_mutex_unlock(&mutex) == 0);
	return unused;
}

static void owner_dies(int inherit)
{
	pthread_t dead, waiter[3];

	make(1, inherit);
	counter = 0;
	must(pthread_create(&dead, NULL, dies_with_it, NULL) == 0);
	must(pthread_join(dead, NULL) == 0);
	for (int i = 0; i < 3; i++)
		must(pthread_create(&waiter[i], NULL, waits_for_it, NULL) == 0);
	for (int i = 0; i < 3; i++)
		must(pthread_join(waiter[i], NULL) == 0);
	must(counter == 1);
	must(pthread_mutex_destroy(&mutex) == 0);

	/* A thread unlocks it without making it consistent: it is unusable for ever. */
	make(1, inherit);
	must(pthread_create(&dead, NULL, dies_with_it, NULL) == 0);
	must(pthread_join(dead, NULL) == 0);
	must(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
	must(pthread_mutex_unlock(&mutex) == 0);
	must(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
	must(pthread_mutex_destroy(&mutex) == 0);
}

static void *count(void *unused)
{
	for (int i = 0; i < 20; i++) {
		must(pthread_mutex_lock(&mutex) == 0);
		counter++;
		must(pthread_mutex_unlock(&mutex) == 0);
	}
	return unused;
}

static void *tries(void *unused)
{
	struct timespec past = {1, 0};

	must(pthread_mutex_trylock(&mutex) == EBUSY);
	must(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
	return unused;
}

static void inheritance(void)
{
	pthread_t thread[4], other;

	make(0, 1);
	counter = 0;
	for (int i = 0; i < 4; i++)
		must(pthread_create(&thread[i], NULL, count, NULL) == 0);
	for (int i = 0; i < 4; i++)
		must(pthread_join(thread[i], NULL) == 0);
	must(counter == 80);
	must(pthread_mutex_lock(&mutex) == 0);
	must(pthread_create(&other, NULL, tries, NULL) == 0);
	must(pthread_join(other, NULL) == 0);
	must(pthread_mutex_unlock(&mutex) == 0);
	must(pthread_mutex_destroy(&mutex) == 0);
}

int main(void)
{
	owner_dies(0);
	puts("robust");
	inheritance();
	puts("priority inheritance");
	owner_dies(1);
	puts("ok");
	return 0;
}
