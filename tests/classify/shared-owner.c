// flags: -pthread
// race A: verdict=spec-violated consequence=lock-misuse violation=unlock-not-held
// race B: verdict=k-witness-harmless pattern=redundant-write
// variant: -DFIX_A = nothing

/* A thread reads the owner of the lock from a variable without the lock: the value may not be true yet. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIX_A
static _Thread_local volatile int held = 1;
#else
static volatile int held;
#endif
static int visited;

static void *visit(void *unused)
{
	visited = 1; // race B
	held = 1; // race A
	pthread_mutex_lock(&lock);
	return unused;
}

static void *clean_up(void *unused)
{
	visited = 1; // race B
	if (!held) // race A
		pthread_mutex_unlock(&lock); // violation A
	return unused;
}

int main(void)
{
	together(visit, clean_up);
	puts("clean");
	return 0;
}
