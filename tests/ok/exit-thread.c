// flags: -pthread

/* exit() from a thread ends all others where they are: blocked, spinning or about to be created. */
#include <pthread.h>
#include <semaphore.h>

#include "must.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static sem_t started;
static volatile int never;

static void *blocks(void *unused)
{
	sem_post(&started);
	pthread_mutex_lock(&held);
	return unused;
}

static void *spins(void *unused)
{
	sem_post(&started);
	while (!never)
		;
	return unused;
}

static void at_exit(void)
{
	puts("ok");
}

static void *leaves(void *unused)
{
	sem_wait(&started);
	sem_wait(&started);
	puts("leaving");
	exit(0);
	return unused;
}

int main(void)
{
	pthread_t thread[3];

	sem_init(&started, 0, 0);
	must(atexit(at_exit) == 0);
	pthread_mutex_lock(&held);
	must(pthread_create(&thread[0], NULL, blocks, NULL) == 0);
	must(pthread_create(&thread[1], NULL, spins, NULL) == 0);
	must(pthread_create(&thread[2], NULL, leaves, NULL) == 0);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	must(!"reached");
}
