// flags: -pthread
// race A: verdict=output-differs

/* A time, and on the same line a number that the race decides. */
#include <stdio.h>
#include <time.h>

#include "../races/threads.h"

static int served;

static void *serve(void *unused)
{
	served++; // race A
	return unused;
}

int main(void)
{
	struct timespec now;

	together(serve, serve);
	clock_gettime(CLOCK_REALTIME, &now);
	printf("%ld.%09ld: %d served by 2\n", (long)now.tv_sec, now.tv_nsec, served); // output A
	return 0;
}
