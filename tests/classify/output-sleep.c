// flags: -pthread
// race A: verdict=output-differs

/* A pause long enough for the other thread is no synchronisation: the other thread may be even slower. */
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static int answer;

static void *compute(void *unused)
{
	usleep(1000);
	answer = 42; // race A
	return unused;
}

static void *show(void *unused)
{
	usleep(1000);
	usleep(1);
	printf("%d\n", answer); // race A
	return unused;
}

int main(void)
{
	together(compute, show);
	return 0;
}
