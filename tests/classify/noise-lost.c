// flags: -pthread
// race A: verdict=output-differs
// race B: verdict=output-differs

/* The schedule decides who does a job, but not how many are done. */
#include <stdio.h>

#include "../races/threads.h"

enum { JOBS = 12 };

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
		int n = done; // race A
		done = n + 1; // race A B
	}
	return NULL;
}

int main(void)
{
	together(work, work, work);
	printf("%d jobs done\n", done); // output A B
	return 0;
}
