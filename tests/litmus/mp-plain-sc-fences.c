// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* Sequentially consistent fences around a relaxed flag. */
#include "litmus.h"

static int message;
static atomic_int flag;
static int r1, r2;

THREAD(0)
{
	message = 1;
	FENCE(seq_cst);
	STORE(flag, 1, relaxed);
}

THREAD(1)
{
	r1 = LOAD(flag, relaxed);
	if (!r1)
		return;
	FENCE(seq_cst);
	r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
