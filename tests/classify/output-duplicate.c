// flags: -pthread
// race A: verdict=output-differs

/* A warning that should be in the log once can be there twice: a thread that has the lock does not test again. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool warned;

static void *work(void *unused)
{
	if (!warned) { // race A
		pthread_mutex_lock(&lock);
		warned = true; // race A
		puts("disk is nearly full");
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(work, work);
	return 0;
}
