// flags: -pthread
// race: none

/* What is read through the pointer is nobody else's, but as long as the pointer is null the thread does not get further. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int own = 3, *volatile pointer, x, got;

static void *set(void *unused)
{
	x = 1;
	pthread_mutex_lock(&lock);
	pointer = &own;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *use(void *unused)
{
	int *p;

	pthread_mutex_lock(&lock);
	p = pointer;
	pthread_mutex_unlock(&lock);
	got = *p;
	x = 2;
	return unused;
}

int main(void)
{
	together(set, use);
	return x + got > 5;
}
