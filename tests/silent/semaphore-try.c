// flags: -pthread

/* A binary semaphore taken by sem_trywait, by sem_timedwait, and by sem_wait. */
#define _GNU_SOURCE
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include "../races/threads.h"

static sem_t lock;
static int counter;

static void count(void)
{
	counter++;
	sem_post(&lock);
}

static void *tries(void *unused)
{
	while (sem_trywait(&lock))
		sched_yield();
	count();
	return unused;
}

static void *waits_a_while(void *unused)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (sem_timedwait(&lock, &until) == 0)
		count();
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	if (sem_clockwait(&lock, CLOCK_MONOTONIC, &until) == 0)
		count();
	return unused;
}

static void *waits(void *unused)
{
	sem_wait(&lock);
	count();
	return unused;
}

int main(void)
{
	sem_init(&lock, 0, 1);
	together(tries, waits_a_while, waits);
	return counter < 2;
}
