// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=deadlock runs=2
// variant: -DAPART = deadlock

/* A signal before the wait is lost: the waiter has no predicate to test. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
#ifdef APART
static _Thread_local int steps;
#else
static int steps;
#endif

static void *waiter(void *unused)
{
	steps++; // race A
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&ready, &lock); // failure X
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *waker(void *unused)
{
	steps++; // race A
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(waiter, waker);
	puts("woken");
	return 0;
}
