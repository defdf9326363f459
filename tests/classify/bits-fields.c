// flags: -pthread
// race A: verdict=k-witness-harmless pattern=disjoint-bits

/* Fields of one word: the kind never changes after the start, the age does, and only one thread writes. */
#include <stdio.h>

#include "../races/threads.h"

static struct {
	unsigned kind : 4;
	unsigned age : 4;
} item = {5, 0};

static int kinds;

static void *grow(void *unused)
{
	for (int i = 0; i < 3; i++)
		item.age++; // race A
	return unused;
}

static void *look(void *unused)
{
	for (int i = 0; i < 3; i++)
		kinds += item.kind; // race A
	return unused;
}

int main(void)
{
	together(grow, look);
	printf("kinds %d, age %d\n", kinds, item.age);
	return 0;
}
