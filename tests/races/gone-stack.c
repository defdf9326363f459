// flags: -pthread

/* The argument of a detached thread is in a frame that its creator soon leaves. */
#include <semaphore.h>

#include "threads.h"

static sem_t done;

static void *work(void *argument)
{
	int n = *(int *)argument; // race A

	sem_post(&done);
	return (void *)(long)n;
}

static void start(void)
{
	pthread_t thread;
	int argument = 5;

	pthread_create(&thread, NULL, work, &argument);
	pthread_detach(thread);
	argument = 0; // race A
}

int main(void)
{
	sem_init(&done, 0, 0);
	start();
	sem_wait(&done);
	return 0;
}
