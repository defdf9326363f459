// flags: -pthread
// race A: verdict=output-differs

/* The program prints its ids before an unprotected counter: its evidence is the same process again. */
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static int count;

static void *add(void *unused)
{
	for (int i = 0; i < 4; i++)
		count++; // race A
	return unused;
}

int main(void)
{
	printf("process %d\n", (int)getpid());
	fflush(stdout);
	together(add, add);
	printf("%d\n", count);
	return 0;
}
