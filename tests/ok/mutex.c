// flags: -pthread

/* Every type of mutex: exclusion, and the error code that each call must return. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "must.h"

#define THREADS 4
#define ROUNDS 20

static pthread_mutex_t mutex;
static int counter;

static void *count(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		must(pthread_mutex_lock(&mutex) == 0);
		counter++;
		must(pthread_mutex_unlock(&mutex) == 0);
	}
	return unused;
}

static void exclusion(void)
{
	pthread_t thread[THREADS];

	counter = 0;
	for (int i = 0; i < THREADS; i++)
		must(pthread_create(&thread[i], NULL, count, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(thread[i], NULL) == 0);
	must(counter == THREADS * ROUNDS);
}

static struct timespec soon(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += 2000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

/* What a thread that does not hold the mutex gets. */
static void *stranger(void *type)
{
	struct timespec realtime = soon(CLOCK_REALTIME), monotonic = soon(CLOCK_MONOTONIC), never = {0, -1};

	must(pthread_mutex_trylock(&mutex) == EBUSY);
	must(pthread_mutex_timedlock(&mutex, &realtime) == ETIMEDOUT);
	must(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &monotonic) == ETIMEDOUT);
	must(pthread_mutex_timedlock(&mutex, &never) == EINVAL);
	if ((long)type == PTHREAD_MUTEX_ERRORCHECK || (long)type == PTHREAD_MUTEX_RECURSIVE)
		must(pthread_mutex_unlock(&mutex) == EPERM);
	return NULL;
}

static void errors(long type)
{
	struct timespec later = soon(CLOCK_REALTIME);
	pthread_t thread;

	later.tv_sec += 10;
	must(pthread_mutex_timedlock(&mutex, &later) == 0);
	must(pthread_create(&thread, NULL, stranger, (void *)type) == 0);
	must(pthread_join(thread, NULL) == 0);
	if (type == PTHREAD_MUTEX_ERRORCHECK) {
		must(pthread_mutex_lock(&mutex) == EDEADLK);
		must(pthread_mutex_timedlock(&mutex, &later) == EDEADLK);
	}
	if (type == PTHREAD_MUTEX_RECURSIVE) {
		must(pthread_mutex_lock(&mutex) == 0);
		must(pthread_mutex_trylock(&mutex) == 0);
		must(pthread_mutex_unlock(&mutex) == 0);
		must(pthread_mutex_unlock(&mutex) == 0);
	} else {
		must(pthread_mutex_trylock(&mutex) == EBUSY);
	}
	must(pthread_mutex_unlock(&mutex) == 0);
	if (type == PTHREAD_MUTEX_ERRORCHECK)
		must(pthread_mutex_unlock(&mutex) == EPERM);
}

int main(void)
{
	static const struct {
		int type;
		const char *name;
	} types[] = {
		{PTHREAD_MUTEX_NORMAL, "normal"},
		{PTHREAD_MUTEX_RECURSIVE, "recursive"},
		{PTHREAD_MUTEX_ERRORCHECK, "errorcheck"},
		{PTHREAD_MUTEX_ADAPTIVE_NP, "adaptive"},
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		pthread_mutexattr_t attributes;

		must(pthread_mutexattr_init(&attributes) == 0);
		must(pthread_mutexattr_settype(&attributes, types[i].type) == 0);
		must(pthread_mutex_init(&mutex, &attributes) == 0);
		must(pthread_mutexattr_destroy(&attributes) == 0);
		exclusion();
		errors(types[i].type);
		must(pthread_mutex_destroy(&mutex) == 0);
		printf("%s\n", types[i].name);
	}
	puts("ok");
	return 0;
}
