// flags: -pthread
// race A B C D: verdict=output-differs

/* A server answers a question for its statistics while it serves. */
#include <stdio.h>

#include "../races/threads.h"

static struct {
	long requests, bytes;
} statistics;

static void *serve(void *n)
{
	statistics.requests++;             // race A B
	statistics.bytes += 100 + (long)n; // race C D
	return NULL;
}

static void *report(void *unused)
{
	long requests = statistics.requests; // race B

	printf("%ld requests, %ld bytes\n", requests, statistics.bytes); // race D output D
	return unused;
}

int main(void)
{
	together(serve, serve, report);
	return 0;
}
