// allowed: popped=0
// allowed: popped=1
// races: marked

/* Treiber's stack with a push that does not release. */
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

	node->value = value; // race: A
	do
		node->next = old; // race: B
	while (!CAS(top, &old, node, relaxed, relaxed));
}

static struct node *pop(void)
{
	struct node *old = LOAD(top, acquire), *next;

	do {
		if (!old)
			return NULL;
		next = old->next; // race: B
	} while (!CAS(top, &old, next, acquire, acquire));
	return old;
}

THREAD(0) { push(&nodes[0], 1); }

THREAD(1) { push(&nodes[1], 2); }

THREAD(2)
{
	struct node *node = pop();

	r1 = node != NULL;
	if (node)
		USE(node->value); // race: A
}

MAIN("popped=%d", r1)
