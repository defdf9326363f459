// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid states=equal
// race B C: verdict=spec-violated consequence=deadlock violation=deadlock

/*
 * A recursive lock whose owner is stored beside it: the owner is cleared too late, over another thread's name.
 *
 * A does no harm by itself. The first thread writes its name while it holds the lock, so only the second one's first read,
 * before it has the lock, is not ordered with that. It sees 0 or 1; neither is its own name, and it forgets which.
 */
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
			pthread_mutex_lock(&lock); // violation B C
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
