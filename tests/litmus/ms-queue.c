// allowed: r1=0 left=12
// allowed: r1=0 left=21
// allowed: r1=1 left=20
// allowed: r1=2 left=10
// forbidden: r1=1 left=10
// forbidden: r1=0 left=10
// forbidden: r1=0 left=20
// races: none

/* The queue of Michael and Scott; nodes are not reused. */
#include "litmus.h"

struct node {
	int value;
	_Atomic(struct node *) next;
};

static struct node nodes[3]; /* the first one is the dummy */
static _Atomic(struct node *) head = nodes, tail = nodes;
static int r1;

static void put(struct node *node, int value)
{
	struct node *last, *next;

	node->value = value;
	for (;;) {
		last = LOAD(tail, acquire);
		next = LOAD(last->next, acquire);
		if (next)
			CAS(tail, &last, next, release, relaxed);
		else if (CAS(last->next, &next, node, release, relaxed))
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

THREAD(1) { put(&nodes[2], 2); }

THREAD(2)
{
	struct node *node = take();

	r1 = node ? node->value : 0;
}

int main(void)
{
	struct node *first, *second;

	run_threads();
	first = take();
	second = take();
	printf("r1=%d left=%d%d\n", r1, first ? first->value : 0, second ? second->value : 0);
	return 0;
}
