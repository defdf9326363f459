// flags: -pthread
// race A: verdict=output-differs

/* The main thread takes part, and uses its own stack while others run. */
#include <stdio.h>

#include "../races/threads.h"

static int last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fill(volatile int *row, int n)
{
	for (int i = 0; i < n; i++)
		row[i] = i;
}

static void *other(void *unused)
{
	last = 1; // race A
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	volatile int row[64];
	pthread_t thread;

	pthread_mutex_lock(&lock);
	pthread_create(&thread, NULL, other, NULL);
	fill(row, 64);
	last = 2; // race A
	fill(row, 64);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	printf("%d %d\n", last, row[3]); // output A
	return 0;
}
