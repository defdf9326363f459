// flags: -pthread

/* A timedlock that times out orders nothing. */
#include <time.h>
#include <unistd.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *holder(void *unused)
{
	pthread_mutex_lock(&lock);
	value = 1; // race A
	usleep(100000);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *waits(void *unused)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	if (pthread_mutex_timedlock(&lock, &until))
		return (void *)(long)value; // race A
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(holder, waits);
	return 0;
}
