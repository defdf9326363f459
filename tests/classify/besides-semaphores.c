// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=deadlock runs=2
// variant: -DAPART = deadlock

/* Forks as semaphores, taken in different orders. */
#include <semaphore.h>
#include <stdio.h>

#include "../races/threads.h"

static sem_t fork_[2];
#ifdef APART
static _Thread_local int hungry = 1;
#else
static int hungry = 1;
#endif

static void *eat(void *n)
{
	long me = (long)n;

	hungry = 1; // race A
	sem_wait(&fork_[me]);
	sem_wait(&fork_[1 - me]); // failure X
	sem_post(&fork_[1 - me]);
	sem_post(&fork_[me]);
	return NULL;
}

int main(void)
{
	sem_init(&fork_[0], 0, 1);
	sem_init(&fork_[1], 0, 1);
	together(eat, eat);
	puts("fed");
	return 0;
}
