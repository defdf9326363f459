// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=memory-error runs=3

/* The close can come before the use: the lock excludes, but does not order. The counter has no part in it. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared, operations;

static void *user(void *unused)
{
	operations++; // race A
	pthread_mutex_lock(&lock);
	int value = *shared; // failure X
	pthread_mutex_unlock(&lock);
	return value == 2 ? NULL : unused;
}

static void *closer(void *unused)
{
	operations++; // race A
	pthread_mutex_lock(&lock);
	free(shared);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	shared = malloc(sizeof *shared);
	*shared = 1;
	together(user, closer);
	puts("closed");
	return 0;
}
