// allowed: r1=0 left=12
// allowed: r1=0 left=21
// allowed: r1=1 left=20
// allowed: r1=2 left=10
// forbidden: r1=1 left=10
// forbidden: r1=2 left=20
// forbidden: r1=0 left=10
// races: none

/* Treiber's stack without reuse of nodes. */
#include "litmus.h"

struct node {
	int value;
	struct node *next;
};

static struct node nodes[2];
static _Atomic(struct node *) top;
static int r1;

static void push(struct node *node, int value)
{
	struct node *old = LOAD(top, relaxed);

	node->value = value;
	do
		node->next = old;
	while (!CAS(top, &old, node, release, relaxed));
}

static struct node *pop(void)
{
	struct node *old = LOAD(top, acquire), *next;

	do {
		if (!old)
			return NULL;
		next = old->next;
	} while (!CAS(top, &old, next, acquire, acquire));
	return old;
}

THREAD(0) { push(&nodes[0], 1); }

THREAD(1) { push(&nodes[1], 2); }

THREAD(2)
{
	struct node *node = pop();

	r1 = node ? node->value : 0;
}

int main(void)
{
	struct node *first, *second;

	run_threads();
	first = pop();
	second = pop();
	printf("r1=%d left=%d%d\n", r1, first ? first->value : 0, second ? second->value : 0);
	return 0;
}
