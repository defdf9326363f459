// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=redundant-write

/* Every thread stores the process id, which is the same for all; it stores it before it reads it. */
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static volatile int owner;
static int mine[2];

static void *work(void *n)
{
	owner = getpid();                  // race A B
	mine[(long)n] = owner == getpid(); // race B
	return NULL;
}

int main(void)
{
	together(work, work);
	printf("%d %d\n", mine[0], mine[1]);
	return 0;
}
