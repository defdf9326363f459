// flags: -pthread

/* The writers take a lock; the reader does not. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *n)
{
	pthread_mutex_lock(&lock);
	total += (int)(long)n; // race A
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *show(void *unused)
{
	(void)unused;
	return (void *)(long)total; // race A
}

int main(void)
{
	together(add, add, show);
	return 0;
}
