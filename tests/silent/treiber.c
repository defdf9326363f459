// flags: -pthread

/* Treiber's stack; a thread takes the whole stack at once, so it owns every node that it has and may free it. */
#include <stdatomic.h>
#include <stdlib.h>

#include "../races/threads.h"

struct node {
	struct node *next;
	int value;
};

static struct node *_Atomic top;
static atomic_int sum;

static void *push(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		struct node *n = malloc(sizeof *n);
		n->value = i;
		n->next = atomic_load_explicit(&top, memory_order_relaxed);
		while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_release,
		                                              memory_order_relaxed))
			;
	}
	return unused;
}

static void *take_all(void *unused)
{
	struct node *n = atomic_exchange_explicit(&top, NULL, memory_order_acquire);

	while (n) {
		struct node *next = n->next;
		atomic_fetch_add_explicit(&sum, n->value, memory_order_relaxed);
		free(n);
		n = next;
	}
	return unused;
}

int main(void)
{
	together(push, push, take_all, take_all);
	take_all(NULL);
	return sum != 12;
}
