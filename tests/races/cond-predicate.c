// flags: -pthread

/* The predicate of a condition variable is set without the mutex. */
#include <time.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *unused)
{
	ready = 1; // race A
	pthread_cond_signal(&changed);
	return unused;
}

static void *wait_for_it(void *unused)
{
	struct timespec until;
	int late = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&lock);
	while (!ready && !late) // race A
		late = pthread_cond_timedwait(&changed, &lock, &until);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(set, wait_for_it);
	return 0;
}
