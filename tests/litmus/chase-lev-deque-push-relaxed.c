// allowed: stolen=0
// allowed: stolen=1
// races: marked

/* Without the release fence in push a thief gets an item that is not written yet, or the old contents of the cell. */
#include "litmus.h"

static atomic_int top, bottom;
static atomic_int items[2];
static int payload[3], r1;

static void push(int item)
{
	int b = LOAD(bottom, relaxed);

	STORE(items[b], item, relaxed);
	STORE(bottom, b + 1, relaxed);
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

THREAD(0)
{
	payload[1] = 1; // race: A
	push(1);
}

THREAD(1)
{
	r1 = steal();
	if (r1)
		USE(payload[r1]); // race: A
}

MAIN("stolen=%d", r1)
