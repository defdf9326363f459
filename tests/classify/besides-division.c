// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=crash runs=2
// variant: -DAPART = crash

/* The mean of a window: another thread resets the count between the test and the division. */
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static atomic_int sum = 12, count = 3;
#ifdef APART
static _Thread_local int touched;
#else
static int touched;
#endif
static volatile int mean;

static void *compute(void *unused)
{
	touched = 1; // race A
	if (atomic_load(&count))
		mean = atomic_load(&sum) / atomic_load(&count); // failure X
	return unused;
}

static void *reset(void *unused)
{
	touched = 1; // race A
	atomic_store(&sum, 0);
	atomic_store(&count, 0);
	return unused;
}

int main(void)
{
	together(compute, reset);
	puts("computed");
	return 0;
}
