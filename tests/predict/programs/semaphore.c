// flags: -pthread
// race: none

/* A semaphore that begins with zero passes the buffer on, and back. */
#include <semaphore.h>
#include "../../races/threads.h"

static sem_t full, empty;
static int buffer, sum;

static void *produce(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		sem_wait(&empty);
		buffer = i;
		sem_post(&full);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		sem_wait(&full);
		sum += buffer;
		sem_post(&empty);
	}
	return unused;
}

int main(void)
{
	sem_init(&full, 0, 0);
	sem_init(&empty, 0, 1);
	together(produce, consume);
	return sum > 6;
}
