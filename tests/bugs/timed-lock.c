// expect: assertion
// at: impatient
// strategy: mixed random pct:3
// flags: -pthread

/* A thread whose timed lock expires continues without the lock: two threads are then in the same critical section. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside, work;

static void *holder(void *unused)
{
	pthread_mutex_lock(&lock);
	atomic_store(&inside, 1);
	for (int i = 0; i < 10; i++)
		atomic_fetch_add(&work, 1);
	atomic_store(&inside, 0);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *impatient(void *unused)
{
	struct timespec limit;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += 2;
	int failed = pthread_mutex_timedlock(&lock, &limit);
	assert(!atomic_load(&inside)); /* HERE */
	if (!failed)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(holder, impatient);
	return 0;
}
