// allowed: taken=0
// allowed: taken=1
// races: marked

/* The queue of Michael and Scott with a node that is linked in without release. */
#include "litmus.h"

struct node {
	int value;
	_Atomic(struct node *) next;
};

static struct node nodes[2]; /* the first one is the dummy */
static _Atomic(struct node *) head = nodes, tail = nodes;
static int r1;

static void put(struct node *node, int value)
{
	struct node *last, *next;

	node->value = value; // race: A
	for (;;) {
		last = LOAD(tail, acquire);
		next = LOAD(last->next, acquire);
		if (next)
			CAS(tail, &last, next, release, relaxed);
		else if (CAS(last->next, &next, node, relaxed, relaxed))
			break;
	}
	CAS(tail, &last, node, release, relaxed);
}

/* The node whose value was taken, or null. */
static struct node *take(void)
{
	struct node *first = LOAD(head, acquire), *next;

	do {
		next = LOAD(first->next, acquire);
		if (!next)
			return NULL;
	} while (!CAS(head, &first, next, acq_rel, acquire));
	return next;
}

THREAD(0) { put(&nodes[1], 1); }

THREAD(1)
{
	struct node *node = take();

	r1 = node != NULL;
	if (node)
		USE(node->value); // race: A
}

MAIN("taken=%d", r1)
