// allowed: 0 0 r2=0
// allowed: 1 1 r2=1
// forbidden: 1 0 r2=1
// forbidden: 0 1 r2=1
// forbidden: 1 1 r2=0
// races: none
// link: -latomic

/* All 128 bits of a value belong to one store, and it orders a plain message; by the functions of libatomic. */
#include "litmus.h"

#pragma clang diagnostic ignored "-Watomic-alignment"

static int message;
static _Atomic unsigned __int128 x;
static unsigned __int128 r1;
static int r2;

THREAD(0)
{
	message = 1;
	STORE(x, (unsigned __int128)1 << 64 | 1, release);
}

THREAD(1)
{
	r1 = LOAD(x, acquire);
	if (r1)
		r2 = message;
}

MAIN("%d %d r2=%d", (int)(r1 >> 64), (int)r1, r2)
