// flags: -pthread
// race A: verdict=output-differs

/* The last writer wins. */
#include <stdio.h>

#include "../races/threads.h"

static const char *winner;

static void *run(void *n)
{
	winner = n ? "hare" : "tortoise"; // race A
	return NULL;
}

int main(void)
{
	together(run, run);
	printf("%s\n", winner);
	return 0;
}
