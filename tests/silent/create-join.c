// flags: -pthread

/* What precedes create is ordered before the thread, and the thread before its join; threads create threads. */
#include "../races/threads.h"

struct job {
	int depth, result;
};

static void *work(void *argument)
{
	struct job *job = argument, child = {job->depth - 1, 0};
	pthread_t thread;

	if (job->depth > 0) {
		pthread_create(&thread, NULL, work, &child);
		pthread_join(thread, NULL);
	}
	job->result = child.result + job->depth;
	return NULL;
}

int main(void)
{
	struct job job = {3, 0};

	work(&job);
	return job.result != 6;
}
