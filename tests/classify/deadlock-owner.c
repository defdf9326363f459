// flags: -pthread
// race A B C: verdict=spec-violated consequence=deadlock violation=deadlock

/* A lock that its owner may take again, with the owner kept on the side: cleared too late, over another's name. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long owner;

static void *first(void *unused)
{
	pthread_mutex_lock(&lock);
	owner = 1; // race A
	pthread_mutex_unlock(&lock);
	owner = 0; // race B C
	return unused;
}

static void *second(void *unused)
{
	for (int depth = 0; depth < 2; depth++)
		if (owner != 2) {                  // race A B
			pthread_mutex_lock(&lock); // violation A B C
			owner = 2;                 // race C
		}
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(first, second);
	puts("left");
	return 0;
}
