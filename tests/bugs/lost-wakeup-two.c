// expect: deadlock
// at: consumer
// strategy: mixed random pct:3
// flags: -pthread

/* Lost wakeup: a producer wakes a consumer only if the queue was empty; two consumers wait, and one is woken. */
#include <pthread.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int count;

static void *producer(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		if (count++ == 0)
			pthread_cond_signal(&filled);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *consumer(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!count)
		pthread_cond_wait(&filled, &lock); /* HERE */
	count--;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(producer, consumer, consumer);
	return 0;
}
