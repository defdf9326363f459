// flags: -pthread

/* Thread-local memory is shared as soon as its address is. */
#include <semaphore.h>

#include "threads.h"

static _Thread_local int mine;
static int *published;
static sem_t there, leave;

static void *owner(void *unused)
{
	published = &mine;
	sem_post(&there);
	mine++; // race A
	sem_wait(&leave);
	return unused;
}

static void *guest(void *unused)
{
	sem_wait(&there);
	*published = 5; // race A
	sem_post(&leave);
	return unused;
}

int main(void)
{
	sem_init(&there, 0, 0);
	sem_init(&leave, 0, 0);
	together(owner, guest);
	return 0;
}
