// flags: -pthread

/* A handler is ordered after the kill that sent the signal, and after the code of its own thread that it interrupts. */
#include <semaphore.h>
#include <signal.h>

#include "../races/threads.h"

static sem_t handled;
static int value, seen, own;

static void on_signal(int number)
{
	(void)number;
	seen += value;
	own++;
	sem_post(&handled);
}

static void *target(void *unused)
{
	own++;
	while (sem_wait(&handled))
		;
	own++;
	return unused;
}

static void on_own_signal(int number)
{
	value += number == SIGUSR2;
}

int main(void)
{
	pthread_t thread;

	sem_init(&handled, 0, 0);
	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, on_own_signal);
	pthread_create(&thread, NULL, target, NULL);
	value = 1;
	raise(SIGUSR2);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	return seen != 2 || own < 2;
}
