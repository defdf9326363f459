// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock

/*
 * What if who waits for the event did not take the lock first? It comes between the look and the wait. That it waits with
 * a lock that it does not have, then, is not what was asked.
 */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool event;

static void *wait(void *unused)
{
	pthread_mutex_lock(&lock);                  // without
	while (!event)                              // race A
		pthread_cond_wait(&changed, &lock); // violation A
	pthread_mutex_unlock(&lock);                // without unlock
	return unused;
}

static void *tell(void *unused)
{
	pthread_mutex_lock(&lock);
	event = true; // race A
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&changed);
	return unused;
}

int main(void)
{
	together(tell, wait);
	puts("told");
	return 0;
}
