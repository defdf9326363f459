// flags: -pthread
// options: --blind mutex
// race A: verdict=single-ordering

/* Redundant writes, with a lock. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int in_use;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	in_use = 1; // race A
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(work, work);
	printf("%d\n", in_use);
	return 0;
}
