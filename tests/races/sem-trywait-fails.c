// flags: -pthread

/* A sem_trywait that fails orders nothing. */
#include <semaphore.h>

#include "threads.h"

static sem_t items;
static int item;

static void *produce(void *unused)
{
	item = 1; // race A
	sem_post(&items);
	return unused;
}

static void *consume(void *unused)
{
	if (sem_trywait(&items))
		return (void *)(long)item; // race A
	return unused;
}

int main(void)
{
	sem_init(&items, 0, 0);
	together(produce, consume);
	return 0;
}
