/* Threads that only read, threads that change; both run the same line. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *shared;
static int seen[6];

static int look(int who)
{
	int *p = shared; /* look */
	seen[who] = p != NULL;
	return p ? *p : 0; /* use */
}

static void *reader1(void *arg) { look(1); return arg; }
static void *reader2(void *arg) { look(2); return arg; }
static void *reader3(void *arg) { look(3); return arg; }
static void *remover(void *arg)
{
	int *p = shared; /* last look */
	shared = NULL; /* take away */
	free(p); /* free */
	return arg;
}

int main(void)
{
	void *(*const start[])(void *) = {reader1, reader2, reader3, remover};
	pthread_t t[4];

	shared = calloc(1, sizeof *shared);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, start[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	puts("done");
	return 0;
}
