// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock

/*
 * What if the waiter did not take the lock first? The event can come between the test and the wait. That it then waits with
 * a lock that it does not hold is not the question.
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
