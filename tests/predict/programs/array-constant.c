// flags: -pthread
// race A: max

/* The array of section 4, but the value that is read is written, and does not choose the element. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, a[2];

static void *first(void *unused)
{
	pthread_mutex_lock(&lock);
	a[0] = 2 + x; // race A
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	x = 1;
	pthread_mutex_unlock(&lock);
	a[0] = 1; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return a[0] > 4;
}
