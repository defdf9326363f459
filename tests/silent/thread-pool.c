// flags: -pthread

/* A pool of threads that take jobs from a queue; a job's result is read after the job is counted as done. */
#include "../races/threads.h"

#define JOBS 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued, taken, done, closed, result[JOBS];

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (taken == queued && !closed)
			pthread_cond_wait(&changed, &lock);
		if (taken == queued)
			break;
		int job = taken++;
		pthread_mutex_unlock(&lock);
		result[job] = job * job;
		pthread_mutex_lock(&lock);
		done++;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *order(void *unused)
{
	int sum = 0;

	for (int i = 0; i < JOBS; i++) {
		pthread_mutex_lock(&lock);
		queued++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	while (done < JOBS)
		pthread_cond_wait(&changed, &lock);
	closed = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < JOBS; i++)
		sum += result[i];
	return sum == 30 ? unused : NULL;
}

int main(void)
{
	together(work, work, order);
	return 0;
}
