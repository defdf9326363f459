// expect: assertion
// at: worker
// strategy: mixed random pct:3
// flags: -pthread

/* The time limit of a wait can expire before the worker is done; the waiter then frees what the worker uses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int open = 1;
static int done, steps;

static void *worker(void *unused)
{
	for (int i = 0; i < 30; i++) {
		steps++;
		assert(atomic_load(&open)); /* HERE */
	}
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	struct timespec limit;
	pthread_t thread;
	int result = 0;

	pthread_create(&thread, NULL, worker, NULL);
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_nsec += 300000000;
	limit.tv_sec += limit.tv_nsec / 1000000000;
	limit.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (!done && result != ETIMEDOUT)
		result = pthread_cond_timedwait(&changed, &lock, &limit);
	pthread_mutex_unlock(&lock);
	atomic_store(&open, 0);
	pthread_join(thread, NULL);
	return 0;
}
