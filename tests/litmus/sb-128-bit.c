// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none
// std-flag: -mcx16

/* Store buffering with 128 bits and the processor's own instruction. */
#include "litmus.h"

static _Atomic unsigned __int128 x, y;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	r1 = (int)LOAD(y, relaxed);
}

THREAD(1)
{
	STORE(y, 1, relaxed);
	r2 = (int)LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
