// flags: -pthread
// race A B: verdict=spec-violated consequence=lock-misuse violation=destroy-held

/* A worker announces that it is idle before it has unlocked. */
#include <semaphore.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t begun;
static volatile int busy;
static int jobs;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	busy = 1;
	sem_post(&begun);
	busy = 0; // race A
	jobs++;
	pthread_mutex_unlock(&lock); // race B
	return unused;
}

static void *shut_down(void *unused)
{
	sem_wait(&begun);
	if (!busy)                            // race A
		pthread_mutex_destroy(&lock); // race B violation A B
	return unused;
}

int main(void)
{
	sem_init(&begun, 0, 0);
	together(work, shut_down);
	puts("down");
	return 0;
}
