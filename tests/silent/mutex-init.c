// flags: -pthread

/* A mutex initialised and destroyed again and again at one address. */
#include "../races/threads.h"

static int counter;

static void *count(void *lock)
{
	pthread_mutex_lock(lock);
	counter++;
	pthread_mutex_unlock(lock);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_t lock;
		pthread_t a, b;
		pthread_mutex_init(&lock, NULL);
		pthread_create(&a, NULL, count, &lock);
		pthread_create(&b, NULL, count, &lock);
		pthread_join(a, NULL);
		pthread_join(b, NULL);
		pthread_mutex_destroy(&lock);
	}
	return counter != 6;
}
