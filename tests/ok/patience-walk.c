// flags: -pthread

/* Walks through a long list: each step is a call, and only the argument says how far the walk is. */
#include <pthread.h>
#include <stdatomic.h>

#include "must.h"

enum { NODES = 60000 };

static struct node {
	struct node *_Atomic next;
} list[NODES];

static void *walk(void *unused)
{
	for (struct node *n = list; n;)
		n = atomic_load(&n->next);
	return unused;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i + 1 < NODES; i++)
		atomic_init(&list[i].next, &list[i + 1]);
	must(pthread_create(&t, NULL, walk, NULL) == 0);
	must(pthread_join(t, NULL) == 0);
	puts("walked");
	return 0;
}
