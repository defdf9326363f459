// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock

/* The event is stored without the lock: a waiter that has just tested it misses the only signal. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool event;

static void *wait(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!event)                              // race A
		pthread_cond_wait(&changed, &lock); // violation A
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *tell(void *unused)
{
	event = true; // race A
	pthread_cond_signal(&changed);
	return unused;
}

int main(void)
{
	together(tell, wait);
	puts("told");
	return 0;
}
