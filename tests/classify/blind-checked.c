// flags: -pthread
// options: --blind mutex
// race A B C: verdict=single-ordering

/* Double-checked locking that checks only once, with the lock. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static int times;

static void *use(void *unused)
{
	pthread_mutex_lock(&lock);
	if (!ready) {         // race A
		times = 1;    // race C
		ready = true; // race A
	}
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	times = times ? 1 : 2; // race B C
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(use, use);
	printf("%d\n", times);
	return 0;
}
