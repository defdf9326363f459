// flags: -pthread

/* The other forms of join order as pthread_join does. */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

#include "../races/threads.h"

static int result[3];

static void *work(void *n)
{
	result[(long)n] = 1;
	return NULL;
}

int main(void)
{
	struct timespec until;
	pthread_t thread[3];
	int sum;

	for (long i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	while (pthread_tryjoin_np(thread[0], NULL))
		sched_yield();
	sum = result[0];
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 10;
	if (pthread_timedjoin_np(thread[1], NULL, &until) == 0)
		sum += result[1];
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 10;
	if (pthread_clockjoin_np(thread[2], NULL, CLOCK_MONOTONIC, &until) == 0)
		sum += result[2];
	return sum != 3;
}
