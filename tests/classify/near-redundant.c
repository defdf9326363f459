// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// race B: verdict=k-witness-harmless pattern=both-values-valid

/* Two threads write the same stop request; the reader sees it or not, and does not write it itself. */
#include <stdio.h>

#include "../races/threads.h"

static volatile int stop;
static int rest;

static void *end(void *unused)
{
	stop = 1; // race A B
	return unused;
}

static void *work(void *unused)
{
	for (rest = 5; rest > 0; rest--)
		if (stop) // race B
			rest = 1;
	return unused;
}

int main(void)
{
	together(end, end, work);
	printf("%d left\n", rest);
	return 0;
}
