// flags: -pthread
// race A B: verdict=output-differs

/* The order in which the workers say hello does not matter; that their number is wrong does. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int workers;

static void *work(void *which)
{
	int n = workers; // race A
	pthread_mutex_lock(&lock);
	printf("hello from %ld\n", (long)which);
	pthread_mutex_unlock(&lock);
	workers = n + 1; // race A B
	return NULL;
}

int main(void)
{
	together(work, work, work);
	printf("%d workers\n", workers); // output A B
	return 0;
}
