// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* What if the reader took no lock? It waits for a flag anyway, and finds the data complete. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;
static volatile int ready;

static void *produce(void *unused)
{
	pthread_mutex_lock(&lock);
	data = 42; // race A
	pthread_mutex_unlock(&lock);
	ready = 1; // race B
	return unused;
}

static void *consume(void *unused)
{
	while (!ready) // race B
		sched_yield();
	pthread_mutex_lock(&lock);   // without
	printf("%d\n", data);        // race A
	pthread_mutex_unlock(&lock); // without unlock
	return unused;
}

int main(void)
{
	together(produce, consume);
	return 0;
}
