// flags: -pthread
// race: none

/* Threads end one after the other: the next one has the same stack, with other variables in it. */
#include <pthread.h>
#include <unistd.h>

static void fill(volatile int *to, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = i;
}

static void *worker(void *unused)
{
	int own[8];

	fill(own, 8);
	return unused;
}

int main(void)
{
	pthread_attr_t detached;
	pthread_t thread;

	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 3; i++) {
		pthread_create(&thread, &detached, worker, NULL);
		usleep(1000);
	}
	return 0;
}
