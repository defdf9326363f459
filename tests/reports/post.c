/* A thread counts the waiters without a lock: a waiter that is not counted gets no post. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t s;
static int waiting;

static void *waiter(void *arg)
{
	waiting++;
	sem_wait(&s); /* waits */
	return arg;
}

static void *server(void *arg)
{
	for (int i = 0; i < waiting; i++)
		sem_post(&s); /* post */
	return arg;
}

int main(void)
{
	void *(*const start[])(void *) = {waiter, waiter, server};
	pthread_t t[3];

	sem_init(&s, 0, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, start[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	puts("done");
	return 0;
}
