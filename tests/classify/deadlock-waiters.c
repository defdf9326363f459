// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock

/* The door is opened once for each waiter; if two count themselves at the same time, one is lost. */
#include <semaphore.h>
#include <stdio.h>

#include "../races/threads.h"

static sem_t door, counted;
static volatile int waiters;

static void *wait(void *unused)
{
	waiters = waiters + 1; // race A
	sem_post(&counted);
	sem_wait(&door); // violation A
	return unused;
}

static void *open_door(void *unused)
{
	sem_wait(&counted);
	sem_wait(&counted);
	for (int n = waiters; n > 0; n--)
		sem_post(&door);
	return unused;
}

int main(void)
{
	sem_init(&door, 0, 0);
	sem_init(&counted, 0, 0);
	together(wait, wait, open_door);
	puts("all in");
	return 0;
}
