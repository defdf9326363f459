// allowed: r1=0 r2=1 cells=12
// allowed: r1=1 r2=0 cells=21
// forbidden: r1=0 r2=0 cells=20
// forbidden: r1=0 r2=0 cells=10
// races: none

/* Arithmetic on an atomic pointer: each thread gets an element of its own. */
#include "litmus.h"

static int cells[2];
static _Atomic(int *) next = cells;
static int r1, r2;

THREAD(0)
{
	int *mine = atomic_fetch_add(&next, 1);

	*mine = 1;
	r1 = (int)(mine - cells);
}

THREAD(1)
{
	int *mine = atomic_fetch_add(&next, 1);

	*mine = 2;
	r2 = (int)(mine - cells);
}

MAIN("r1=%d r2=%d cells=%d%d", r1, r2, cells[0], cells[1])
