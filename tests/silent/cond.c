// flags: -pthread

/* A bounded buffer with two conditions. */
#include "../races/threads.h"

#define ROOM  2
#define ITEMS 6

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ROOM], head, used, sum;

static void *produce(void *unused)
{
	for (int i = 1; i <= ITEMS; i++) {
		pthread_mutex_lock(&lock);
		while (used == ROOM)
			pthread_cond_wait(&not_full, &lock);
		buffer[(head + used++) % ROOM] = i;
		pthread_cond_signal(&not_empty);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		pthread_mutex_lock(&lock);
		while (used == 0)
			pthread_cond_wait(&not_empty, &lock);
		sum += buffer[head];
		head = (head + 1) % ROOM;
		used--;
		pthread_mutex_unlock(&lock);
		pthread_cond_signal(&not_full);
	}
	return unused;
}

int main(void)
{
	together(produce, consume);
	return sum != ITEMS * (ITEMS + 1) / 2;
}
