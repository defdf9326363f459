// flags: -pthread

/* main has joined a thread, but not the one that writes. */
#include "threads.h"

static int joined, running;

static void *first(void *unused)
{
	joined = 1;
	return unused;
}

static void *second(void *unused)
{
	running = 1; // race A
	return unused;
}

int main(void)
{
	pthread_t a, b;
	int sum;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	sum = joined;
	sum += running; // race A
	pthread_join(b, NULL);
	return sum > 2;
}
