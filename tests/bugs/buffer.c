// expect: assertion
// at: main
// strategy: mixed random pct:3
// flags: -pthread

/* The semaphore of a bounded buffer promises one free slot too many: a third item overwrites one that nobody has read. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define SLOTS 2
#define ITEMS 3

static sem_t space, items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slot[SLOTS], in, out, sum;

static void put(int value)
{
	sem_wait(&space);
	pthread_mutex_lock(&lock);
	slot[in++ % SLOTS] = value;
	pthread_mutex_unlock(&lock);
	sem_post(&items);
}

static void *early(void *unused)
{
	put(1);
	put(2);
	return unused;
}

static void *late(void *unused)
{
	put(4);
	return unused;
}

static void *consumer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&items);
		pthread_mutex_lock(&lock);
		sum += slot[out++ % SLOTS];
		pthread_mutex_unlock(&lock);
		sem_post(&space);
	}
	return unused;
}

int main(void)
{
	void *(*const role[])(void *) = {early, consumer, late};
	pthread_t thread[3];

	sem_init(&space, 0, SLOTS + 1);
	sem_init(&items, 0, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, role[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	assert(sum == 7); /* HERE */
	puts("nothing lost");
	return 0;
}
