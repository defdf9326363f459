// flags: -pthread

/* The destructor of a thread's data runs after the thread has announced that it is done. */
#include <semaphore.h>

#include "threads.h"

static pthread_key_t key;
static sem_t done;
static int destroyed;

static void destroy(void *value)
{
	(void)value;
	destroyed = 1; // race A
}

static void *work(void *unused)
{
	pthread_setspecific(key, &done);
	sem_post(&done);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int seen;

	sem_init(&done, 0, 0);
	pthread_key_create(&key, destroy);
	pthread_create(&thread, NULL, work, NULL);
	sem_wait(&done);
	seen = destroyed; // race A
	pthread_join(thread, NULL);
	return seen > 1;
}
