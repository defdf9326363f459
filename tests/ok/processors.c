// flags: -pthread

/* A thread's affinity is its own: other threads keep theirs, and new threads have their creator's. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "must.h"

static cpu_set_t all, one;
static pthread_barrier_t both;

static void has(const cpu_set_t *wanted)
{
	cpu_set_t set;

	must(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_EQUAL(&set, wanted));
	must(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_EQUAL(&set, wanted));
}

static void *heir(void *unused)
{
	has(&one);
	return unused;
}

static void *asks(void *unused)
{
	pthread_t child;

	has(&all);
	must(sched_setaffinity(0, sizeof one, &one) == 0);
	has(&one);
	must(pthread_create(&child, NULL, heir, NULL) == 0);
	must(pthread_join(child, NULL) == 0);
	pthread_barrier_wait(&both);
	return unused;
}

int main(void)
{
	pthread_t thread;
	cpu_set_t none;

	CPU_ZERO(&none);
	must(sched_getaffinity(0, sizeof all, &all) == 0);
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && !CPU_COUNT(&one))
			CPU_SET(cpu, &one);
	pthread_barrier_init(&both, NULL, 2);
	must(pthread_create(&thread, NULL, asks, NULL) == 0);
	pthread_barrier_wait(&both);
	has(&all);
	must(sched_setaffinity(0, sizeof none, &none) == -1 && errno == EINVAL);
	must(sched_setaffinity(0, sizeof all, NULL) == -1 && errno == EFAULT);
	must(pthread_join(thread, NULL) == 0);
	has(&all);
	puts("ok");
	return 0;
}
