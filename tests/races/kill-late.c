// flags: -pthread

/* A signal orders what happens before it is sent, and nothing later. */
#include <semaphore.h>
#include <signal.h>

#include "threads.h"

static sem_t handled;
static int early, late;
static volatile int sum;

static void on_signal(int number)
{
	(void)number;
	sum = early;
	sum = late; // race A
	sem_post(&handled);
}

static void *target(void *unused)
{
	while (sem_wait(&handled))
		;
	return unused;
}

int main(void)
{
	pthread_t thread;

	sem_init(&handled, 0, 0);
	signal(SIGUSR1, on_signal);
	pthread_create(&thread, NULL, target, NULL);
	early = 1;
	pthread_kill(thread, SIGUSR1);
	late = 1; // race A
	pthread_join(thread, NULL);
	return 0;
}
