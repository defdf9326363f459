// expect: deadlock
// at: flush
// strategy: mixed random pct:3
// flags: -pthread

/* A full log flushes itself, and flush() takes the lock that log_line() holds. It is full only if the flusher is late. */
#include <pthread.h>
#include <stdio.h>

#define LINES 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines, flushed;

static void flush(void)
{
	pthread_mutex_lock(&lock); /* HERE */
	flushed += lines;
	lines = 0;
	pthread_mutex_unlock(&lock);
}

static void log_line(void)
{
	pthread_mutex_lock(&lock);
	if (lines == LINES)
		flush();
	lines++;
	pthread_mutex_unlock(&lock);
}

static void *logger(void *unused)
{
	log_line();
	log_line();
	return unused;
}

static void *flusher(void *unused)
{
	flush();
	return unused;
}

int main(void)
{
	void *(*const role[])(void *) = {logger, flusher, logger};
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, role[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%d lines\n", lines + flushed);
	return 0;
}
