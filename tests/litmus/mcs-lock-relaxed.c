// allowed: done
// races: marked

/* A queue lock that is passed on without release. */
#include "litmus.h"

struct node {
	_Atomic(struct node *) next;
	atomic_int waiting;
};

static struct node nodes[2];
static _Atomic(struct node *) tail;
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
	struct node *old = me, *after;

	if (CAS(tail, &old, NULL, release, relaxed))
		return;
	while (!(after = LOAD(me->next, acquire)))
		sched_yield();
	STORE(after->waiting, 0, relaxed);
}

static void work(int me)
{
	lock(&nodes[me]);
	count++; // race: A
	unlock(&nodes[me]);
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("done")
