// flags: -pthread

/* main returns while a thread works; the exit handler reads its result. */
#include <semaphore.h>
#include <stdlib.h>

#include "threads.h"

static sem_t started;
static int result;
static volatile int seen;

static void at_end(void)
{
	seen = result; // race A
}

static void *work(void *unused)
{
	sem_post(&started);
	result = 1; // race A
	return unused;
}

int main(void)
{
	pthread_t thread;

	sem_init(&started, 0, 0);
	atexit(at_end);
	pthread_create(&thread, NULL, work, NULL);
	sem_wait(&started);
	return 0;
}
