// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=assertion runs=3
// variant: -DAPART = assertion

/*
 * The test for a free seat and the booking are two steps, so two buyers can take the last seat. Both steps are
 * atomic, so that is no data race. The statistics do race, and nobody reads them.
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
