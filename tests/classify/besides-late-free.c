// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=memory-error runs=2

/*
 * The buffer is freed by main, which knows only that the worker has begun, not that it is done. The race is behind the
 * use in the one and before the free in the other, so the other order of it comes with the failure more often than not; it is
 * not why.
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
