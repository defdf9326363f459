// flags: -pthread
// race A: verdict=output-differs

/* Who does a job is up to the schedule, and so is how far all are when somebody looks: but he looks without the lock. */
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
