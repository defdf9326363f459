// allowed: done
// races: marked

/* The queue of Michael and Scott (1996) without reuse of nodes: two producers and a consumer that waits for both. */
#include "../litmus.h"

#ifdef FIXED
#define memory_order_seeded memory_order_release
#else
#define memory_order_seeded memory_order_relaxed
#endif

struct node {
	int value;
	_Atomic(struct node *) next;
};

static struct node nodes[3]; /* the first one is the dummy */
static _Atomic(struct node *) head = nodes, tail = nodes;

static void put(struct node *node, int value)
{
	struct node *last, *next;

	node->value = value; // race: A
	for (;;) {
		last = LOAD(tail, acquire);
		next = LOAD(last->next, acquire);
		if (next)
			CAS(tail, &last, next, release, relaxed);
		else if (CAS(last->next, &next, node, seeded, relaxed)) // seeded: must be release
			break;
	}
	CAS(tail, &last, node, release, relaxed);
}

/* The node with the next value, or null. */
static struct node *take(void)
{
	struct node *first = LOAD(head, acquire), *last, *next;

	for (;;) {
		last = LOAD(tail, relaxed);
		next = LOAD(first->next, acquire);
		if (!next)
			return NULL;
		if (first == last)
			CAS(tail, &last, next, release, relaxed);
		if (CAS(head, &first, next, acq_rel, acquire))
			return next;
	}
}

THREAD(0) { put(&nodes[1], 1); }

THREAD(1) { put(&nodes[2], 2); }

THREAD(2)
{
	for (int taken = 0; taken < 2;) {
		struct node *node = take();

		if (!node) {
			sched_yield();
			continue;
		}
		USE(node->value); // race: A
		taken++;
	}
}

MAIN("done")
