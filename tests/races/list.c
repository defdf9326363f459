// flags: -pthread

/* One thread pushes nodes on a list while another walks through it, without a lock. */
#include <stddef.h>

#include "threads.h"

struct node {
	struct node *next;
};

static struct node node[2], *head;

static void *push(void *n)
{
	struct node *fresh = &node[(long)n];

	fresh->next = head; // race A B
	head = fresh; // race A C D
	return NULL;
}

static void *walk(void *unused)
{
	(void)unused;
	for (struct node *n = head; n;) // race D
		n = n->next; // race B
	return NULL;
}

int main(void)
{
	together(push, push, walk);
	return 0;
}
