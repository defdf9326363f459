// flags: -pthread

/* The owner of a robust mutex dies; the next owner continues with the data. */
#include <errno.h>

#include "../races/threads.h"

static pthread_mutex_t lock;
static int counter;

static void *work(void *number)
{
	int e = pthread_mutex_lock(&lock);

	if (e == EOWNERDEAD)
		pthread_mutex_consistent(&lock);
	counter++;
	if (number)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &a);
	together(work, work, work);
	return counter != 3;
}
