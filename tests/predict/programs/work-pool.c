// flags: -pthread
// race A: hb
// race B: sp

/*
 * Jobs in an array, taken by two workers under a lock. Who takes which is decided by what is read there. The results are in
 * places of their own; `busy` is a worker's last job, which both write in passing (A), and main looks at `report` before
 * it puts the jobs, the last worker behind its own counter's lock (B).
 */
#include "../../races/threads.h"

enum { JOBS = 4 };

static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER, stats_lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job, results[JOBS], busy, stats[2], report;

static int take(void)
{
	int job;

	pthread_mutex_lock(&jobs_lock);
	job = next_job < JOBS ? next_job++ : -1;
	pthread_mutex_unlock(&jobs_lock);
	return job;
}

static void *worker(void *unused)
{
	int job;

	while ((job = take()) >= 0) {
		results[job] = job * job;
		busy = job; // race A
		pthread_mutex_lock(&stats_lock);
		pthread_mutex_unlock(&stats_lock);
		sched_yield();
	}
	return unused;
}

static void *reporter(void *unused)
{
	report = 1; // race B
	pthread_mutex_lock(&stats_lock);
	stats[0] = 1;
	pthread_mutex_unlock(&stats_lock);
	return unused;
}

static void *auditor(void *unused)
{
	pthread_mutex_lock(&stats_lock);
	stats[1] = 1;
	pthread_mutex_unlock(&stats_lock);
	report = 2; // race B
	return unused;
}

int main(void)
{
	together(worker, worker, reporter, auditor);
	return results[3] + busy + report > 14;
}
