// flags: -pthread
// race A: never

/* A sem_trywait finds the semaphore empty: another thread took the one token, and wrote x before. */
#include <semaphore.h>
#include <unistd.h>
#include "../../races/threads.h"

static sem_t token;
static int holder, known;

static void *hold(void *unused)
{
	holder = 1; // race A
	sem_wait(&token);
	usleep(1000);
	sem_post(&token);
	return unused;
}

static void *ask(void *unused)
{
	usleep(500);
	if (sem_trywait(&token) == 0)
		sem_post(&token);
	else
		known = holder; // race A
	return unused;
}

int main(void)
{
	sem_init(&token, 0, 1);
	together(hold, ask);
	return known > 1;
}
