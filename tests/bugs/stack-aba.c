// expect: assertion
// at: own
// strategy: mixed random pct:3
// flags: -pthread

/*
 * ABA in a lock-free free list: pop() reads the head and its successor, then other threads pop both and push the first
 * one back; the compare-exchange succeeds, and the new head is a node that another thread already owns.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define NODES 3

static atomic_int head;
static int next_of[NODES + 1];
static int owner[NODES + 1];

static int pop(void)
{
	int top = atomic_load(&head);

	while (top && !atomic_compare_exchange_strong(&head, &top, next_of[top]))
		;
	return top;
}

static void push(int node)
{
	next_of[node] = atomic_load(&head);
	while (!atomic_compare_exchange_strong(&head, &next_of[node], node))
		;
}

static void own(int node, int me)
{
	if (!node)
		return;
	assert(owner[node] == 0); /* HERE */
	owner[node] = me;
}

static void *taker(void *number)
{
	int me = (int)(long)number;

	own(pop(), me);
	own(pop(), me);
	return NULL;
}

static void *shuffler(void *number)
{
	int first = pop(), second = pop();

	own(second, (int)(long)number);
	if (first)
		push(first);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	for (int i = NODES; i > 0; i--)
		push(i);
	pthread_create(&a, NULL, taker, (void *)1);
	pthread_create(&b, NULL, shuffler, (void *)2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("every node has one owner");
	return 0;
}
