// flags: -pthread
// race A: verdict=output-differs

/* The schedule decides who does a job and how far all are at a moment; but the observer reads without the lock. */
#include <stdio.h>

#include "../races/threads.h"

enum { JOBS = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = JOBS, done;

static int take(void)
{
	pthread_mutex_lock(&lock);
	int job = left ? left-- : 0;
	pthread_mutex_unlock(&lock);
	return job;
}

static void *work(void *which)
{
	int job;

	while ((job = take())) {
		printf("worker %ld does job %d\n", (long)which, job);
		pthread_mutex_lock(&lock);
		done++; // race A
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *look(void *unused)
{
	printf("%d are done\n", done); // race A output A
	return unused;
}

int main(void)
{
	together(work, work, look);
	return 0;
}
