// allowed: got=123
// forbidden: got=121
// forbidden: got=103
// races: none

/* A ring of two cells between one producer and one consumer. */
#include "litmus.h"

static int ring[2];
static atomic_uint head, tail; /* taken and put so far */
static int got[3];

static void put(int value)
{
	unsigned t = LOAD(tail, relaxed);

	while (t - LOAD(head, acquire) == 2)
		sched_yield();
	ring[t % 2] = value;
	STORE(tail, t + 1, release);
}

static int take(void)
{
	unsigned h = LOAD(head, relaxed);
	int value;

	while (LOAD(tail, acquire) == h)
		sched_yield();
	value = ring[h % 2];
	STORE(head, h + 1, release);
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
		got[i] = take();
}

MAIN("got=%d%d%d", got[0], got[1], got[2])
