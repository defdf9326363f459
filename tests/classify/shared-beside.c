// flags: -pthread
// race A: verdict=spec-violated consequence=assertion violation=failed-assert
// race B: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=deadlock
// variant: -DFIX_A = deadlock
// variant: -DFIX_B = deadlock assertion

/* A race that fails, a deadlock that needs no race, and a counter that does nothing. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIX_A
static _Thread_local int ready = 1;
#else
static int ready;
#endif
#ifdef FIX_B
static _Thread_local int calls;
#else
static long calls;
#endif

static void *one(void *unused)
{
	calls++; // race B
	ready = 1; // race A
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&right); // failure X
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	return unused;
}

static void *other(void *unused)
{
	calls++; // race B
	assert(ready); // race A violation A
	pthread_mutex_lock(&right);
	pthread_mutex_lock(&left); // failure X
	pthread_mutex_unlock(&left);
	pthread_mutex_unlock(&right);
	return unused;
}

int main(void)
{
	together(one, other);
	puts("done");
	return 0;
}
