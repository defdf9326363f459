// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=heap-overflow

/* A thread compares the number of the request with the size of the table; the number has grown when it uses it. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

#define SIZE 32

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int id = SIZE - 1;
static int *statistics;

static void *handle_request(void *unused)
{
	pthread_mutex_lock(&lock);
	id++; // race A B
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *update_statistics(void *unused)
{
	if (id < SIZE)              // race A
		statistics[id] = 1; // race B violation A B
	return unused;
}

int main(void)
{
	statistics = calloc(SIZE, sizeof *statistics);
	together(update_statistics, handle_request);
	puts("updated");
	return 0;
}
