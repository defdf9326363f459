// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock

/* What if the event were stored without the lock? The signal can come between the test and the wait. */
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
	pthread_mutex_lock(&lock);   // without
	event = true;                // race A
	pthread_mutex_unlock(&lock); // without unlock
	pthread_cond_signal(&changed);
	return unused;
}

int main(void)
{
	together(tell, wait);
	puts("told");
	return 0;
}
