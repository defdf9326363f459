// flags: -pthread
// race A B C: verdict=output-differs
// race D E: verdict=k-witness-harmless pattern=both-values-valid
// race F: verdict=k-witness-harmless pattern=redundant-write
// variant: -DWHOLE = nothing

/*
 * A hand-made lock with a hole: both threads can find it free before either takes it.  So it orders nothing: the test of
 * one and the store of the other decide whether an update is lost, and so do the accesses under the lock.  Nor does a
 * thread that tests always wait for the one that unlocks: it may have tested before.
 */
#include <stdio.h>

#include "../races/threads.h"

static volatile int taken;
static int count;

static void *add(void *unused)
{
#ifdef WHOLE
	while (__atomic_exchange_n(&taken, 1, __ATOMIC_SEQ_CST))
		;
#else
	while (taken) // race A D
		;
	taken = 1; // race A C E
#endif
	count++; // race B
	taken = 0; // race D E F
	return unused;
}

int main(void)
{
	together(add, add);
	printf("%d\n", count); // output A B C
	return 0;
}
