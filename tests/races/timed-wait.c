// flags: -pthread

/* A wait that times out is not ordered after the thread that it waited for, though both take the lock. */
#include <errno.h>
#include <time.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, result;

static void *worker(void *unused)
{
	for (int i = 0; i < 20; i++)
		result = i; // race A
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *waiter(void *unused)
{
	struct timespec limit;
	int late = 0;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec++;
	pthread_mutex_lock(&lock);
	while (!done && late != ETIMEDOUT)
		late = pthread_cond_timedwait(&changed, &lock, &limit);
	pthread_mutex_unlock(&lock);
	return result ? unused : NULL; // race A
}

int main(void)
{
	together(worker, waiter);
	return 0;
}
