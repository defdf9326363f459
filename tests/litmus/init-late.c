// allowed: done
// races: marked

/* atomic_init is a plain write, and races with a load. */
#include "litmus.h"

static atomic_int x;

THREAD(0)
{
	atomic_init(&x, 1); // race: A
}

THREAD(1)
{
	(void)LOAD(x, seq_cst); // race: A
}

MAIN("done")
