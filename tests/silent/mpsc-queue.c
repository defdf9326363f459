// flags: -pthread

/* A linked queue for many producers and one consumer: an exchange takes the place, a store links the node. */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../races/threads.h"

struct node {
	struct node *_Atomic next;
	int value;
};

static struct node *_Atomic last;
static struct node *first;
static int sum;

static struct node *make(int value)
{
	struct node *n = malloc(sizeof *n);

	atomic_init(&n->next, NULL);
	n->value = value;
	return n;
}

static void *produce(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		struct node *n = make(i);
		struct node *before = atomic_exchange_explicit(&last, n, memory_order_acq_rel);
		atomic_store_explicit(&before->next, n, memory_order_release);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < 4; i++) {
		struct node *next;
		while (!(next = atomic_load_explicit(&first->next, memory_order_acquire)))
			sched_yield();
		sum += next->value;
		free(first);
		first = next;
	}
	return unused;
}

int main(void)
{
	first = make(0);
	atomic_init(&last, first);
	together(produce, produce, consume);
	free(first);
	return sum != 6;
}
