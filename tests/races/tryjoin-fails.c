// flags: -pthread

/* pthread_tryjoin_np that finds the thread running has not joined it. */
#define _GNU_SOURCE
#include "threads.h"

static int result;

static void *work(void *unused)
{
	result = 1; // race A
	return unused;
}

int main(void)
{
	pthread_t thread;
	int seen;

	pthread_create(&thread, NULL, work, NULL);
	if (pthread_tryjoin_np(thread, NULL) == 0)
		return 0;
	seen = result; // race A
	pthread_join(thread, NULL);
	return seen > 1;
}
