// allowed: inside=00 count=0
// allowed: inside=01 count=1
// allowed: inside=10 count=1
// forbidden: inside=11 count=2
// forbidden: inside=11 count=1
// races: none

/* The heart of Dekker's algorithm: store the own flag, then load the other. At most one thread enters. */
#include "litmus.h"

static atomic_int wants[2];
static int inside[2], count;

static void work(int me)
{
	STORE(wants[me], 1, seq_cst);
	if (LOAD(wants[!me], seq_cst))
		return;
	inside[me] = 1;
	count++;
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("inside=%d%d count=%d", inside[0], inside[1], count)
