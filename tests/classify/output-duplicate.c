// flags: -pthread
// race A: verdict=output-differs

/* A warning that should stand in the log once may stand there twice: who has the lock does not ask again. */
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
