// expect: assertion
// at: check_result
// strategy: mixed random pct:3
// flags: -pthread

/* Main waits until its thread has started, not until it has ended, and returns: the exit handler finds no result. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t started;
static atomic_int steps;

static void *worker(void *unused)
{
	sem_post(&started);
	for (int i = 0; i < 5; i++)
		atomic_fetch_add(&steps, 1);
	return unused;
}

static void check_result(void)
{
	assert(atomic_load(&steps) == 5); /* HERE */
}

int main(void)
{
	pthread_t thread;

	sem_init(&started, 0, 0);
	atexit(check_result);
	pthread_create(&thread, NULL, worker, NULL);
	pthread_detach(thread);
	sem_wait(&started);
	return 0;
}
