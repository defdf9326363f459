// flags: -pthread

/* pthread_detach waits for nothing; a semaphore only keeps the process alive. */
#include <semaphore.h>

#include "threads.h"

static sem_t done;
static int result;

static void *work(void *unused)
{
	result = 1; // race A
	sem_post(&done);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int seen;

	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	pthread_detach(thread);
	seen = result; // race A
	sem_wait(&done);
	return seen > 1;
}
