// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=assertion
// variant: -DAPART = assertion

/* Main waits until the computing thread has started, not until it is done. */
#include <assert.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static sem_t begun;
static atomic_int result;
#ifdef APART
static _Thread_local int phase;
#else
static int phase;
#endif

static void *compute(void *unused)
{
	sem_post(&begun);
	phase = 1; // race A
	atomic_store(&result, 42);
	return unused;
}

static void *use(void *unused)
{
	sem_wait(&begun);
	phase = 1; // race A
	assert(atomic_load(&result) == 42); // failure X
	return unused;
}

int main(void)
{
	sem_init(&begun, 0, 0);
	together(compute, use);
	puts("computed");
	return 0;
}
