// expect: assertion
// at: worker
// strategy: mixed
// runs: 5000
// flags: -pthread

/* Main returns while three detached threads work; the one that has not started its work finds the table freed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define WORKERS 3

static atomic_int table = 1, jobs;

static void *worker(void *number)
{
	if ((long)number == 0)
		assert(atomic_load(&table)); /* HERE */
	for (int i = 0; i < 4; i++)
		atomic_fetch_add(&jobs, 1);
	return NULL;
}

static void forget_table(void)
{
	if (atomic_load(&jobs) < 2 * 4) /* all but one have finished */
		return;
	atomic_store(&table, 0);
	for (int i = 0; i < 8; i++)
		atomic_fetch_add(&jobs, 1);
}

int main(void)
{
	pthread_t thread;

	atexit(forget_table);
	for (long i = 0; i < WORKERS; i++) {
		pthread_create(&thread, NULL, worker, (void *)i);
		pthread_detach(thread);
	}
	return 0;
}
