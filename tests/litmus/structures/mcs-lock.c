// allowed: done
// races: marked

/* The queue lock of Mellor-Crummey and Scott (1991): three threads, two rounds of a plain counter for each. */
#include "../litmus.h"

#ifdef FIXED
#define memory_order_seeded memory_order_release
#else
#define memory_order_seeded memory_order_relaxed
#endif

struct node {
	_Atomic(struct node *) next;
	atomic_int waiting;
};

static _Atomic(struct node *) tail;
static struct node nodes[3][2];
static int count;

static void lock(struct node *me)
{
	struct node *before;

	STORE(me->waiting, 1, relaxed);
	before = EXCHANGE(tail, me, acq_rel);
	if (!before)
		return;
	STORE(before->next, me, release);
	while (LOAD(me->waiting, acquire))
		sched_yield();
}

static void unlock(struct node *me)
{
	struct node *old = me, *after = LOAD(me->next, acquire);

	if (!after) {
		if (CAS(tail, &old, NULL, release, relaxed))
			return;
		while (!(after = LOAD(me->next, acquire)))
			sched_yield();
	}
	STORE(after->waiting, 0, seeded); // seeded: must be release
}

static void work(int me)
{
	for (int round = 0; round < 2; round++) {
		lock(&nodes[me][round]);
		count++; // race: A
		unlock(&nodes[me][round]);
	}
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

THREAD(2) { work(2); }

MAIN("done")
