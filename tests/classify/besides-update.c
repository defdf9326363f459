// flags: -pthread
// race A: verdict=k-witness-harmless pattern=none
// failure X: kind=assertion
// variant: -DFIX_A = assertion

/*
 * An update of an atomic in two steps, and in the middle of it a counter that nobody reads.  The accesses to
 * the counter race only where the update is already lost.
 */
#include <assert.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int total;
#ifdef FIX_A
static _Thread_local int calls;
#else
static int calls;
#endif

static void *add(void *unused)
{
	int seen = total;

	calls++; // race A
	total = seen + 1;
	return unused;
}

int main(void)
{
	together(add, add);
	assert(total == 2); // failure X
	return 0;
}
