// flags: -pthread

/* Statistics that need not be exact. */
#include "threads.h"

static struct {
	long requests, bytes;
} statistics;

static void *serve(void *n)
{
	statistics.requests++; // race A B
	statistics.bytes += (long)n; // race C D
	return NULL;
}

static void *report(void *unused)
{
	long requests = statistics.requests; // race B
	long bytes = statistics.bytes; // race D

	return requests == bytes ? unused : NULL;
}

int main(void)
{
	together(serve, serve, report);
	return 0;
}
