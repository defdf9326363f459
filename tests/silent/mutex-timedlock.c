// flags: -pthread

/* Locks with a time limit; a thread uses the data only if it got the lock. */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *by_real_time(void *unused)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1;
	if (pthread_mutex_timedlock(&lock, &until) == 0) {
		counter++;
		usleep(2000000);
		counter++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *by_monotonic_time(void *unused)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 3;
	if (pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &until) == 0) {
		counter++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(by_real_time, by_real_time, by_monotonic_time);
	return counter == 0;
}
