// expect: infinite-loop
// at: client
// strategy: mixed random pct:3
// flags: -pthread

/* The helper tests once for a request and ends; a client that asks later spins for an answer for ever. */
#include <pthread.h>
#include <stdio.h>

static volatile int requested, answered;

static void *client(void *unused)
{
	requested = 1;
	while (!answered) /* HERE */
		;
	return unused;
}

static void *helper(void *unused)
{
	if (requested)
		answered = 1;
	return unused;
}

int main(void)
{
	pthread_t c, h;

	pthread_create(&c, NULL, client, NULL);
	pthread_create(&h, NULL, helper, NULL);
	pthread_join(c, NULL);
	pthread_join(h, NULL);
	puts("answered");
	return 0;
}
