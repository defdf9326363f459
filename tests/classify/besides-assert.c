// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=assertion runs=3
// variant: -DAPART = assertion

/*
 * To look whether a seat is left and to take it are two steps, so two buyers can take the last one. Both steps are
 * atomic: that is no data race. The statistics are one, and nobody looks at them.
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static atomic_int seats = 1;
#ifdef APART
static _Thread_local int asked;
#else
static int asked;
#endif

static void *buyer(void *unused)
{
	asked++; // race A
	if (atomic_load(&seats) > 0) {
		int left = atomic_fetch_sub(&seats, 1) - 1;
		assert(left >= 0); // failure X
	}
	return unused;
}

int main(void)
{
	together(buyer, buyer);
	puts("sold");
	return 0;
}
