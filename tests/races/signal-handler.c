// flags: -pthread

/* A handler runs in one thread and writes what another thread reads. */
#include <semaphore.h>
#include <signal.h>

#include "threads.h"

static sem_t handled;
static int signals;

static void on_signal(int number)
{
	(void)number;
	signals++; // race A
	sem_post(&handled);
}

static void *waits(void *unused)
{
	while (sem_wait(&handled))
		;
	return unused;
}

static void *looks(void *unused)
{
	(void)unused;
	return (void *)(long)signals; // race A
}

int main(void)
{
	pthread_t a, b;

	sem_init(&handled, 0, 0);
	signal(SIGUSR1, on_signal);
	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, looks, NULL);
	pthread_kill(a, SIGUSR1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
