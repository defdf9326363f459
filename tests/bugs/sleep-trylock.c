// expect: assertion
// at: visitor
// strategy: mixed random pct:3
// flags: -pthread

/* The visitor sleeps and then assumes that the lock is free. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int count;

static void *owner(void *unused)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 20; i++)
		count++;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *visitor(void *unused)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
	int busy = pthread_mutex_trylock(&lock);
	assert(!busy); /* HERE */
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(owner, visitor);
	return 0;
}
