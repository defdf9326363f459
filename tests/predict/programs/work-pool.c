// flags: -pthread
// race A: hb
// race B: sp

/*
 * Two workers take jobs from an array under a lock. What they read there decides who takes which. The results are in
 * places of their own; both workers write `busy` without a lock (A). Two more threads write `report`, one before and one
 * after a critical section of the same lock (B).
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
