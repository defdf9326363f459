// flags: -pthread

/* A trylock that fails has seen that the lock is held, but orders nothing. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *holder(void *unused)
{
	pthread_mutex_lock(&lock);
	value = 1; // race A
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *tries(void *unused)
{
	if (pthread_mutex_trylock(&lock))
		return (void *)(long)value; // race A
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(holder, tries);
	return 0;
}
