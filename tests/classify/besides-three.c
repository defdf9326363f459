// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=assertion runs=2
// variant: -DAPART = assertion

/* Three threads want two places and the last must be refused; two of them test at the same time. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static atomic_int inside;
#ifdef APART
static _Thread_local int came;
#else
static int came;
#endif

static void *guest(void *unused)
{
	came++; // race A
	if (atomic_load(&inside) < 2)
		assert(atomic_fetch_add(&inside, 1) < 2); // failure X
	return unused;
}

int main(void)
{
	together(guest, guest, guest);
	puts("full");
	return 0;
}
