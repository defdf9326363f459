// race A: verdict=spec-violated consequence=memory-error violation=double-free
// failure X: kind=memory-error

/*
 * Both threads free the block, in either order.  A thread that is held before its free, while the other one frees the
 * block, then frees a block that no longer exists.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char *block;

static void *worker(void *arg)
{
	free(block);                  // race A violation A failure X
	return arg;
}

int main(void)
{
	pthread_t t;

	block = malloc(100);
	pthread_create(&t, NULL, worker, NULL);
	free(block);                  // race A violation A failure X
	pthread_join(t, NULL);
	puts("done");
	return 0;
}
