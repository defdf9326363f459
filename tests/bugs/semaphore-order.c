// expect: deadlock
// at: put
// strategy: mixed random pct:3
// flags: -pthread

/* A producer holds the lock while it waits for space: the consumer that would make space cannot take the lock. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t door, space, items;
static int slot, sum;

static void put(int value)
{
	sem_wait(&door);
	sem_wait(&space); /* HERE */
	slot = value;
	sem_post(&items);
	sem_post(&door);
}

static void take(void)
{
	sem_wait(&items);
	sem_wait(&door);
	sum += slot;
	sem_post(&space);
	sem_post(&door);
}

static void *producer(void *value)
{
	put((int)(long)value);
	return NULL;
}

static void *consumer(void *unused)
{
	take();
	take();
	return unused;
}

int main(void)
{
	pthread_t early, middle, late;

	sem_init(&door, 0, 1);
	sem_init(&space, 0, 1);
	sem_init(&items, 0, 0);
	pthread_create(&early, NULL, producer, (void *)1);
	pthread_create(&middle, NULL, consumer, NULL);
	pthread_create(&late, NULL, producer, (void *)2);
	pthread_join(early, NULL);
	pthread_join(middle, NULL);
	pthread_join(late, NULL);
	printf("sum %d\n", sum);
	return 0;
}
