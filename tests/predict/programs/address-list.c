// flags: -pthread
// race: none

/*
 * A stack of nodes under a lock: a thread pops what another has pushed and uses it outside. What it read decides which node
 * it has, and which it frees. In another execution it finds the list empty.
 */
#include <stdlib.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node {
	struct node *next;
	int value;
} *head;
static int sum;

static void *push(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		struct node *n = malloc(sizeof(*n));

		n->value = i;
		pthread_mutex_lock(&lock);
		n->next = head;
		head = n;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *pop(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		struct node *n;

		pthread_mutex_lock(&lock);
		n = head;
		if (n)
			head = n->next;
		pthread_mutex_unlock(&lock);
		if (n) {
			sum += n->value;
			free(n);
		}
	}
	return unused;
}

int main(void)
{
	together(push, pop);
	return sum > 3;
}
