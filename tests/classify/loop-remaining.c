// flags: -pthread
// race A: verdict=spec-violated consequence=infinite-loop violation=infinite-loop

/* Workers count down what remains; if one decrement is lost the count never reaches zero. */
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static int remaining = 6;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++)
		remaining--; // race A
	return unused;
}

int main(void)
{
	together(work, work);
	while (remaining > 0) // violation A
		usleep(100);  // violation A
	puts("nothing remains");
	return 0;
}
