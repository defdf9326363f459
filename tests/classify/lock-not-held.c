// flags: -pthread
// race A B: verdict=spec-violated consequence=lock-misuse violation=unlock-not-held

/* While there is one thread it works without the lock; if the second one starts in the middle, the first one unlocks all
 * the same. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool threaded;
static int written;

static void *write_line(void *unused)
{
	if (threaded) // race A
		pthread_mutex_lock(&lock);
	written++;
	if (threaded)                        // race B
		pthread_mutex_unlock(&lock); // violation A B
	return unused;
}

static void *start(void *unused)
{
	threaded = true; // race A B
	return unused;
}

int main(void)
{
	together(write_line, start);
	printf("%d\n", written);
	return 0;
}
