// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=both-values-valid
// race C: verdict=k-witness-harmless pattern=redundant-write

/*
 * The third race needs one thread to read within a short window of the other's. Random executions hardly ever show it; the
 * executions that reverse the first or the second race find it.
 */
#include <stdio.h>

#include "../races/threads.h"

static volatile int window, mine, yours; /* volatile: the compiler must keep all of it */
static int marked;

static void *opens(void *unused)
{
	for (int i = 0; i < 400; i++)
		mine++;
	window = 1; // race A
	window = 0; // race B
	for (int i = 0; i < 400; i++)
		mine++;
	marked = 1; // race C
	return unused;
}

static void *looks(void *unused)
{
	for (int i = 0; i < 900; i++)
		yours++;
	if (window)         // race A B
		marked = 1; // race C
	return unused;
}

int main(void)
{
	together(opens, looks);
	printf("%d\n", marked);
	return 0;
}
