// expect: assertion
// at: main
// strategy: mixed random pct:3
// flags: -pthread

/* Work-queue shutdown: the worker tests `stopping` before it tests the queue, and leaves an item behind. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t started;
static int queued, handled, stopping;

static void *worker(void *unused)
{
	pthread_mutex_lock(&lock);
	sem_post(&started);
	while (!stopping) {
		while (queued > 0) {
			queued--;
			handled++;
		}
		if (!stopping)
			pthread_cond_wait(&changed, &lock);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *client(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		queued++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t w, c;

	sem_init(&started, 0, 0);
	pthread_create(&c, NULL, client, NULL);
	pthread_create(&w, NULL, worker, NULL);
	sem_wait(&started);
	pthread_join(c, NULL);
	pthread_mutex_lock(&lock);
	stopping = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(w, NULL);
	assert(handled == 2); /* HERE */
	puts("2 handled");
	return 0;
}
