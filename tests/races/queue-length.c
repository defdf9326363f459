// flags: -pthread

/* The queue has a lock, but a thread reads its length before it takes the lock. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int length;

static void *push(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		length++; // race A
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *pop(void *unused)
{
	for (int i = 0; i < 4; i++) {
		if (length == 0) // race A
			continue;
		pthread_mutex_lock(&lock);
		length--;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(push, pop);
	return 0;
}
