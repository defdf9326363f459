// flags: -pthread
// 1: thread-leak has ended
// 20: nothing
// 21: nothing
// 22: nothing
// 23: nothing

/* Threads that nobody joins. From case 20 on they are joined, or need not be. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t go;

static void *work(void *arg) { return arg; }
static void *wait(void *arg)
{
	sem_wait(&go);
	return arg;
}

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;
	pthread_attr_t detached;
	pthread_t t;

	sem_init(&go, 0, 0);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, which == 22 ? &detached : NULL, which == 23 ? wait : work, NULL);
	if (which == 20)
		pthread_join(t, NULL);
	if (which == 21)
		pthread_detach(t);
	for (int i = 0; i < 5; i++)
		usleep(1000);
	return 0;
}
