// allowed: count=2
// forbidden: count=1
// races: none

/* The queue lock of Craig, Landin and Hagersten: each thread waits for the one before. */
#include "litmus.h"

static atomic_int busy[3]; /* the last node belongs to nobody and is free */
static _Atomic(atomic_int *) tail = &busy[2];
static int count;

static void work(int me)
{
	atomic_int *before;

	STORE(busy[me], 1, relaxed);
	before = EXCHANGE(tail, &busy[me], acq_rel);
	while (LOAD(*before, acquire))
		sched_yield();
	count++;
	STORE(busy[me], 0, release);
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("count=%d", count)
