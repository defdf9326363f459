// flags: -pthread

/* Waits with a time limit, woken or not: the mutex is held again after each. */
#define _GNU_SOURCE
#include <time.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, waited;

static void *waits(void *number)
{
	clockid_t clock = number ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	struct timespec until;
	int late = 0;

	clock_gettime(clock, &until);
	until.tv_nsec = (until.tv_nsec + 1000) % 1000000000;
	pthread_mutex_lock(&lock);
	while (!ready && !late) {
		waited++;
		late = number ? pthread_cond_clockwait(&changed, &lock, clock, &until)
		              : pthread_cond_timedwait(&changed, &lock, &until);
	}
	waited++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *wakes(void *unused)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	pthread_cond_broadcast(&changed);
	return unused;
}

int main(void)
{
	together(waits, waits, wakes);
	return waited < 2;
}
