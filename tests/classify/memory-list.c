// flags: -pthread
// race A B C: verdict=spec-violated consequence=memory-error violation=use-after-free

/* One thread removes an element from a list and frees it while another walks through it. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

struct node {
	struct node *next;
	int value;
};

static struct node *head;
static int sum;

static struct node *node(int value, struct node *next)
{
	struct node *n = malloc(sizeof *n);

	n->value = value;
	n->next = next;
	return n;
}

static void *add_up(void *unused)
{
	for (struct node *n = head; n; n = n->next) // race A C violation A B C
		sum += n->value;                    // race B violation A B C
	return unused;
}

static void *remove_second(void *unused)
{
	struct node *second = head->next;

	head->next = second->next; // race A
	free(second);              // race B C
	return unused;
}

int main(void)
{
	head = node(1, node(2, node(3, NULL)));
	together(add_up, remove_second);
	puts("added up");
	return 0;
}
