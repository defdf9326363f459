// flags: -pthread
// options: --blind mutex
// race A: verdict=single-ordering

/* A thread that does not get the lock tries again later. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visits[2];

static void *visit(void *n)
{
	while (pthread_mutex_trylock(&lock) != 0)
		sched_yield();
	visits[0] += 1 + (int)(long)n; // race A
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(visit, visit);
	printf("%d\n", visits[0]);
	return 0;
}
