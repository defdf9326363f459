// flags: -pthread

/* A post does not order what happens after it. */
#include <semaphore.h>

#include "threads.h"

static sem_t items;
static int early, late;

static void *produce(void *unused)
{
	early = 1;
	sem_post(&items);
	late = 1; // race A
	return unused;
}

static void *consume(void *unused)
{
	(void)unused;
	sem_wait(&items);
	int sum = early;
	sum += late; // race A
	return (void *)(long)sum;
}

int main(void)
{
	sem_init(&items, 0, 0);
	together(produce, consume);
	return 0;
}
