// flags: -pthread
// race A B C: verdict=output-differs
// race D E: verdict=k-witness-harmless pattern=both-values-valid
// race F: verdict=k-witness-harmless pattern=redundant-write
// variant: -DWHOLE = nothing

/*
 * A lock made by hand with a hole: both may find it free before either takes it.  So it keeps nothing in order: the test of
 * the one and the store of the other decide whether an update is lost, and so do the accesses under the lock.  Nor does who
 * asks always wait for who gives it back: it may have asked before.
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
