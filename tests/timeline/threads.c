// flags: -pthread

/* Fifty threads and a lock on the heap; the creator gives one thread a name. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#define THREADS 50
#define TIMES   20

static pthread_mutex_t *lock, global = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *work(void *unused)
{
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(lock); /* LOCK */
		pthread_mutex_lock(&global);
		sum++;
		pthread_mutex_unlock(&global);
		pthread_mutex_unlock(lock);
	}
	return unused;
}

int main(void)
{
	pthread_t thread[THREADS];

	lock = malloc(sizeof *lock);
	pthread_mutex_init(lock, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	pthread_setname_np(thread[0], "first");
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return sum != THREADS * TIMES;
}
