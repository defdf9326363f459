// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=deadlock runs=1
// variant: -DAPART = deadlock

/* A thread that finds the work done does not come to the barrier, which waits for two. */
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_barrier_t barrier;
static atomic_int done;
#ifdef APART
static _Thread_local int seen;
#else
static int seen;
#endif

static void *work(void *unused)
{
	seen = 7; // race A
	if (atomic_load(&done))
		return unused;
	pthread_barrier_wait(&barrier); // failure X
	return unused;
}

static void *stop(void *unused)
{
	seen = 7; // race A
	pthread_barrier_wait(&barrier); // failure X
	return unused;
}

static void *cancel(void *unused)
{
	sched_yield();
	atomic_store(&done, 1);
	return unused;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(work, stop, cancel);
	puts("met");
	return 0;
}
