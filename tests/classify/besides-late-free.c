// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=memory-error runs=2

/*
 * Main frees the buffer, and knows only that the worker has begun, not that it is done. The racing accesses come after the
 * use and before the free, so the other order of the race usually comes with the failure; it is
 * not the cause.
 */
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t begun;
static int *buffer, phase;

static void *work(void *unused)
{
	sem_post(&begun);
	pthread_mutex_lock(&lock);
	buffer[0] = 1; // failure X
	pthread_mutex_unlock(&lock);
	phase = 3; // race A
	return unused;
}

static void *end(void *unused)
{
	sem_wait(&begun);
	phase = 3; // race A
	pthread_mutex_lock(&lock);
	free(buffer);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	sem_init(&begun, 0, 0);
	buffer = malloc(sizeof *buffer);
	together(work, end);
	puts("ended");
	return 0;
}
