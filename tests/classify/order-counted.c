// flags: -pthread
// options: --interleavings 0
// race A: verdict=single-ordering adhoc=flag pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=data pattern=user-synchronisation

/* Main waits until all threads have counted themselves: after every count but the last it waits on. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;
static int slot[3];

static void *work(void *number)
{
	slot[(long)number] = 1 + (int)(long)number; // race B
	pthread_mutex_lock(&lock);
	ready = ready + 1; // race A
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread[3];
	int sum = 0;

	for (long i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	while (ready < 3) // race A
		sched_yield();
	for (int i = 0; i < 3; i++)
		sum += slot[i]; // race B
	printf("%d\n", sum);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
