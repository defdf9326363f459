// allowed: taken=0 stolen=12
// allowed: taken=2 stolen=10
// forbidden: taken=2 stolen=12
// races: none

/* The deque of Chase and Lev with the orders of Lê, Pop, Cohen and Zappa Nardelli: no item is taken twice. */
#include "litmus.h"

static atomic_int top, bottom = 2;
static atomic_int items[2] = {1, 2};
static int r1, r2, r3;

/* The owner's end: 0 if there is nothing. */
static int take(void)
{
	int b = LOAD(bottom, relaxed) - 1, t, item = 0;

	STORE(bottom, b, relaxed);
	FENCE(seq_cst);
	t = LOAD(top, relaxed);
	if (t <= b)
		item = LOAD(items[b], relaxed);
	if (t < b)
		return item;
	if (t == b && !CAS(top, &t, t + 1, seq_cst, relaxed))
		item = 0;
	STORE(bottom, b + 1, relaxed);
	return item;
}

/* The thief's end: 0 if there is nothing, or another thread got it. */
static int steal(void)
{
	int t = LOAD(top, acquire), item;

	FENCE(seq_cst);
	if (t >= LOAD(bottom, acquire))
		return 0;
	item = LOAD(items[t], relaxed);
	return CAS(top, &t, t + 1, seq_cst, relaxed) ? item : 0;
}

THREAD(0) { r1 = take(); }

THREAD(1)
{
	r2 = steal();
	r3 = steal();
}

MAIN("taken=%d stolen=%d%d", r1, r2, r3)
