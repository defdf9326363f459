// expect: assertion
// at: worker
// strategy: mixed pct:3
// flags: -pthread

/* Nobody joins the worker: it can still run after main has returned and an exit handler has closed what it uses. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int closed;

static void *worker(void *unused)
{
	assert(!atomic_load(&closed)); /* HERE */
	return unused;
}

static void close_all(void)
{
	atomic_store(&closed, 1);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	pthread_t thread;

	atexit(close_all);
	pthread_create(&thread, NULL, worker, NULL);
	for (int i = 0; i < 8; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
