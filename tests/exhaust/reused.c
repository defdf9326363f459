// never: the recorded execution ends as none of them
// The result depends on the address that malloc() returns, and executions that check memory keep freed blocks for a while.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic(void *) old;

static void *give(void *unused)
{
	void *p = malloc(48);

	old = p;
	free(p);
	return unused;
}

static void *take(void *unused)
{
	void *was = old, *p = malloc(48);

	puts(was && p == was ? "used again" : "fresh");
	return unused;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, give, NULL);
	pthread_create(&thread[1], NULL, take, NULL);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
