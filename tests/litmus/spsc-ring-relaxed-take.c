// allowed: done
// races: marked

/* The consumer returns a cell without release. */
#include "litmus.h"

static int ring[2];
static atomic_uint head, tail; /* taken and put so far */

static void put(int value)
{
	unsigned t = LOAD(tail, relaxed);

	while (t - LOAD(head, acquire) == 2)
		sched_yield();
	ring[t % 2] = value; // race: A
	STORE(tail, t + 1, release);
}

static int take(void)
{
	unsigned h = LOAD(head, relaxed);
	int value;

	while (LOAD(tail, acquire) == h)
		sched_yield();
	value = ring[h % 2]; // race: A
	STORE(head, h + 1, relaxed);
	return value;
}

THREAD(0)
{
	for (int i = 1; i <= 3; i++)
		put(i);
}

THREAD(1)
{
	for (int i = 0; i < 3; i++)
		USE(take());
}

MAIN("done")
