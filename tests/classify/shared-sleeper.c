// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock
// race B: verdict=k-witness-harmless pattern=approximate-counter
// variant: -DFIX_B = deadlock

/* A thread decides without the lock whether to wait, so the signal can come in between; the counter is beside it. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static volatile int full;
#ifdef FIX_B
static _Thread_local int steps;
#else
static long steps;
#endif

static void *fill(void *unused)
{
	steps++; // race B
	full = 1; // race A
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *drain(void *unused)
{
	steps++; // race B
	if (!full) { // race A
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&filled, &lock); // violation A
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(fill, drain);
	puts("drained");
	return 0;
}
