// flags: -pthread
// race A: verdict=k-witness-harmless pattern=double-check

/* Double-checked locking: a thread that finds the table not ready tests again with the lock. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static int times;

static void *use(void *unused)
{
	if (!ready) { // race A
		pthread_mutex_lock(&lock);
		if (!ready) {
			times++;
			ready = true; // race A
		}
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(use, use, use, use);
	printf("made ready %d time\n", times);
	return 0;
}
