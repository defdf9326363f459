// allowed: done
// races: marked

/* A plain read of what another thread writes atomically is a race all the same. */
#include "litmus.h"

static int x;

THREAD(0)
{
	__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); // race: A
}

THREAD(1)
{
	USE(x); // race: A
}

MAIN("done")
