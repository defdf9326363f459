// flags: -pthread
// varies: which worker does which job
// race A B: verdict=k-witness-harmless pattern=none

/* The schedule decides who does a job; the hint only makes a worker yield now and then. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

enum { JOBS = 12 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = JOBS, busy;

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
		if (busy != job) // race A
			sched_yield();
		busy = job; // race A B
		pthread_mutex_lock(&lock);
		printf("worker %ld does job %d\n", (long)which, job);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	together(work, work, work);
	return 0;
}
