// flags: -pthread

/* A signal wakes the waiter; only the mutex would order them, and the signaller does not take it. */
#include <time.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int value;

static void *signaller(void *unused)
{
	value = 1; // race A
	pthread_cond_signal(&condition);
	return unused;
}

static void *waiter(void *unused)
{
	struct timespec until;

	(void)unused;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&lock);
	int late = pthread_cond_timedwait(&condition, &lock, &until);
	pthread_mutex_unlock(&lock);
	return late ? NULL : (void *)(long)value; // race A
}

int main(void)
{
	together(signaller, waiter);
	return 0;
}
