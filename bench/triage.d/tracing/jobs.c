/*
 * A program that traces what it does: jobs JOBS [FILE].  Three threads take jobs off a locked list, one more looks on.
 * Only what the tracing library does is racy.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace.h"

enum { WORKERS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs, left, done;
static const char *second_file;

static int take(void)
{
	pthread_mutex_lock(&lock);
	int job = left ? left-- : 0;
	pthread_mutex_unlock(&lock);
	return job;
}

static void finished(void)
{
	pthread_mutex_lock(&lock);
	done++;
	pthread_mutex_unlock(&lock);
}

static int all_finished(void)
{
	pthread_mutex_lock(&lock);
	int all = done == jobs;
	pthread_mutex_unlock(&lock);
	return all;
}

static unsigned work(int job)
{
	unsigned sum = (unsigned)job;

	for (int i = 0; i < 200; i++)
		sum = sum * 1664525 + 1013904223;
	return sum;
}

static void *worker(void *arg)
{
	char name[16];
	int unit = (int)(long)arg, job;

	snprintf(name, sizeof name, "worker %d", unit);
	trace_thread(name);
	while ((job = take())) {
		unsigned result = work(job);
		trace(unit, TRACE_DEBUG, "job %d gives %u", job, result);
		if (job % 4 == 0)
			trace(unit, TRACE_INFO, "job %d done", job);
		if (result % 16 == 0)
			trace(unit, TRACE_WARN, "job %d has an odd result", job);
		finished();
	}
	if (all_finished())
		trace_end(); /* the last one; several may be */
	return NULL;
}

static void *looker(void *arg)
{
	(void)arg;
	trace_thread("looker");
	trace_set_level(1, TRACE_DEBUG);
	trace_statistics();
	trace_set_level(1, TRACE_WARN);
	trace_switch(1); /* it is on */
	if (second_file)
		trace_redirect(second_file);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[WORKERS + 1];

	jobs = left = argc > 1 ? atoi(argv[1]) : 24;
	second_file = argc > 2 ? argv[2] : NULL;
	trace_start(NULL);
	trace_thread("main");
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&thread[i], NULL, worker, (void *)i);
	pthread_create(&thread[WORKERS], NULL, looker, NULL);
	for (int i = 0; i <= WORKERS; i++)
		pthread_join(thread[i], NULL);
	trace_statistics();
	trace_end();
	printf("%d jobs done\n", done);
	return 0;
}
