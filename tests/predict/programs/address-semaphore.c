// flags: -pthread
// race: none

/* The value that was read decides which semaphore is posted: before the write of x it would be the other one. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t nobody, somebody, *target = &nobody;
static int x;

static void *choose(void *unused)
{
	x = 1;
	pthread_mutex_lock(&lock);
	target = &somebody;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *raise_it(void *unused)
{
	sem_t *s;

	pthread_mutex_lock(&lock);
	s = target;
	pthread_mutex_unlock(&lock);
	sem_post(s);
	return unused;
}

static void *wait_for_it(void *unused)
{
	sem_wait(&somebody);
	x = 2;
	return unused;
}

int main(void)
{
	pthread_t threads[3];

	sem_init(&nobody, 0, 0);
	sem_init(&somebody, 0, 0);
	pthread_create(&threads[0], NULL, choose, NULL);
	pthread_create(&threads[1], NULL, raise_it, NULL);
	pthread_create(&threads[2], NULL, wait_for_it, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	sem_post(&somebody); /* so that the thread ends whichever was posted */
	pthread_join(threads[2], NULL);
	return x > 2;
}
