// flags: -pthread

/* One thread frees what the other still reads. */
#include <stdlib.h>

#include "threads.h"

static struct node {
	int value;
} *node;

static void *drop(void *unused)
{
	free(node); // race A
	return unused;
}

static void *use(void *unused)
{
	(void)unused;
	return (void *)(long)node->value; // race A
}

int main(void)
{
	node = malloc(sizeof *node);
	node->value = 1;
	together(drop, use);
	return 0;
}
