// flags: -pthread
// race A: verdict=output-differs

/*
 * The event is stored without the lock: a waiter that has just tested misses the signal and continues when its time is up.
 * It then tests once more, but prints that it was late.
 */
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool event;

static void *wait(void *unused)
{
	struct timespec until;
	int late = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&lock);
	while (!event && !late) // race A
		late = pthread_cond_timedwait(&changed, &lock, &until) != 0;
	pthread_mutex_unlock(&lock);
	puts(late ? "late" : "in time");
	return unused;
}

static void *tell(void *unused)
{
	event = true; // race A
	pthread_cond_signal(&changed);
	return unused;
}

int main(void)
{
	together(wait, tell);
	return 0;
}
