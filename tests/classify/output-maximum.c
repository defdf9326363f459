// flags: -pthread
// race A B: verdict=output-differs

/* The maximum of three numbers is compared and set in two steps. */
#include <stdio.h>

#include "../races/threads.h"

static const int values[] = {3, 9, 5};
static int greatest;

static void *compare(void *n)
{
	int mine = values[(long)n];

	if (mine > greatest)     // race A
		greatest = mine; // race A B
	return NULL;
}

int main(void)
{
	together(compare, compare, compare);
	printf("%d\n", greatest);
	return 0;
}
