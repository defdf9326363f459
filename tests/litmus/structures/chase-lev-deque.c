// allowed: done
// races: marked

/*
 * The work-stealing deque of Chase and Lev (SPAA 2005), with the orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP
 * 2013): the owner puts three tasks, takes one and leaves the others to a thief.
 */
#include "../litmus.h"

#ifdef FIXED
#define memory_order_seeded memory_order_release
#else
#define memory_order_seeded memory_order_relaxed
#endif

enum { CAPACITY = 4, NONE = -1 };

static atomic_int top, bottom;
static atomic_int tasks[CAPACITY];
static int payload[CAPACITY];

static void push(int task)
{
	int b = LOAD(bottom, relaxed);

	STORE(tasks[b % CAPACITY], task, relaxed);
	FENCE(seeded); // seeded: must be release
	STORE(bottom, b + 1, relaxed);
}

static int take(void)
{
	int b = LOAD(bottom, relaxed) - 1, t, task = NONE;

	STORE(bottom, b, relaxed);
	FENCE(seq_cst);
	t = LOAD(top, relaxed);
	if (t <= b)
		task = LOAD(tasks[b % CAPACITY], relaxed);
	if (t < b)
		return task;
	if (t == b && !CAS(top, &t, t + 1, seq_cst, relaxed))
		task = NONE;
	STORE(bottom, b + 1, relaxed);
	return task;
}

static int steal(void)
{
	int t = LOAD(top, acquire), task;

	FENCE(seq_cst);
	if (t >= LOAD(bottom, acquire))
		return NONE;
	task = LOAD(tasks[t % CAPACITY], relaxed);
	return CAS(top, &t, t + 1, seq_cst, relaxed) ? task : NONE;
}

THREAD(0)
{
	for (int task = 1; task <= 3; task++) {
		payload[task] = task; // race: A
		push(task);
	}
	take();
}

THREAD(1)
{
	for (int stolen = 0; stolen < 2;) {
		int task = steal();

		if (task == NONE) {
			sched_yield();
			continue;
		}
		USE(payload[task]); // race: A
		stolen++;
	}
}

MAIN("done")
