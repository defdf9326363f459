// expect: assertion
// at: consumer
// strategy: mixed random pct:3
// flags: -pthread

/* `if` around pthread_cond_wait: a consumer woken by the broadcast finds that the other one took the item. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused)
{
	pthread_mutex_lock(&lock);
	if (items == 0)
		pthread_cond_wait(&filled, &lock);
	assert(items > 0); /* HERE */
	items--;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *producer(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		items++;
		pthread_cond_broadcast(&filled);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	void *(*const role[])(void *) = {consumer, consumer, producer};
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, role[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%d items left\n", items);
	return 0;
}
