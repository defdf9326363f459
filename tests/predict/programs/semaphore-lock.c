// flags: -pthread
// race A: max

/* A semaphore that begins with one is a lock, but it passes on a token, not an order of critical sections. */
#include <semaphore.h>
#include "../../races/threads.h"

static sem_t one;
static int place, mine, yours;

static void *first(void *unused)
{
	place = 1; // race A
	sem_wait(&one);
	mine = 1;
	sem_post(&one);
	return unused;
}

static void *second(void *unused)
{
	sem_wait(&one);
	yours = 1;
	sem_post(&one);
	place = 2; // race A
	return unused;
}

int main(void)
{
	sem_init(&one, 0, 1);
	together(first, second);
	return place + mine + yours > 4;
}
