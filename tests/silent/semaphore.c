// flags: -pthread

/* Producer and consumer with two semaphores: a slot belongs to the thread that took its permit. */
#include <semaphore.h>

#include "../races/threads.h"

#define ROOM  2
#define ITEMS 6

static sem_t full, empty;
static int slot[ROOM], sum;

static void *produce(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&empty);
		slot[i % ROOM] = i;
		sem_post(&full);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&full);
		sum += slot[i % ROOM];
		sem_post(&empty);
	}
	return unused;
}

int main(void)
{
	sem_init(&full, 0, 0);
	sem_init(&empty, 0, ROOM);
	together(produce, consume);
	return sum != ITEMS * (ITEMS - 1) / 2;
}
