// flags: -pthread

/* A stress test: threads work until main has slept for a second, which must not take all the points of a second. */
#include <stdatomic.h>
#include <unistd.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static long rounds, left;

static void *worker(void *unused)
{
	while (!atomic_load(&stop)) {
		pthread_mutex_lock(&lock);
		rounds++;
		pthread_mutex_unlock(&lock);
	}
	left++; // race A
	return unused;
}

static void *clock_watcher(void *unused)
{
	sleep(1);
	atomic_store(&stop, 1);
	return unused;
}

int main(void)
{
	together(worker, worker, clock_watcher);
	return 0;
}
