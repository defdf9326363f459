// flags: -pthread
// race A: sp
// race B: max

/*
 * A buffer with two places, a producer and a consumer, all under one lock; each item goes through it. Outside the lock
 * the producer announces what it will put (A, B), and others read that: a monitor that reads a setting of its own
 * under the lock, and one that copies the number of items.
 */
#include "../../races/threads.h"

enum { PLACES = 2, ITEMS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int items[PLACES], first, count, sum, state, interval, length, next;

static void put(int item)
{
	pthread_mutex_lock(&lock);
	while (count == PLACES)
		pthread_cond_wait(&not_full, &lock);
	items[(first + count++) % PLACES] = item;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&lock);
}

static int get(void)
{
	int item;

	pthread_mutex_lock(&lock);
	while (count == 0)
		pthread_cond_wait(&not_empty, &lock);
	item = items[first];
	first = (first + 1) % PLACES;
	count--;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&lock);
	return item;
}

static void *produce(void *unused)
{
	state = 1; // race A
	next = 1;  // race B
	for (int i = 1; i <= ITEMS; i++)
		put(i);
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 1; i <= ITEMS; i++)
		sum += get();
	return unused;
}

static void *monitor(void *unused)
{
	pthread_mutex_lock(&lock);
	interval = 5;
	pthread_mutex_unlock(&lock);
	state = 2; // race A
	return unused;
}

static void *watch(void *unused)
{
	pthread_mutex_lock(&lock);
	length = count;
	pthread_mutex_unlock(&lock);
	next = 2; // race B
	return unused;
}

int main(void)
{
	together(produce, consume, monitor, watch);
	return sum + state + interval + length + next > 21;
}
