// flags: -pthread
// expect: crash
/* The flag is set before the semaphore is posted: the other thread can see one without the other. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static volatile int said;
static sem_t given;

static void *give(void *unused)
{
	said = 1;
	sem_post(&given);
	return unused;
}

static void *take(void *unused)
{
	if (said && sem_trywait(&given))
		abort();
	return unused;
}

int main(void)
{
	pthread_t thread[2];

	sem_init(&given, 0, 0);
	pthread_create(&thread[0], NULL, give, NULL);
	pthread_create(&thread[1], NULL, take, NULL);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
