// allowed: inside=00 count=0
// allowed: inside=01 count=1
// allowed: inside=10 count=1
// forbidden: inside=11 count=2
// forbidden: inside=11 count=1
// races: none

/* Store, fence, load. */
#include "litmus.h"

static atomic_int wants[2];
static int inside[2], count;

static void work(int me)
{
	STORE(wants[me], 1, relaxed);
	FENCE(seq_cst);
	if (LOAD(wants[!me], relaxed))
		return;
	inside[me] = 1;
	count++;
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("inside=%d%d count=%d", inside[0], inside[1], count)
