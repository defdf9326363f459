// flags: -pthread
// race: none

/* Section 4 of the paper: a[x] = 2 next to a[0] = 1 would have been a[1] = 2. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, a[2];

static void *first(void *unused)
{
	pthread_mutex_lock(&lock);
	a[x] = 2;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	x = 1;
	pthread_mutex_unlock(&lock);
	a[0] = 1;
	return unused;
}

int main(void)
{
	together(first, second);
	return a[0] + a[1] > 4;
}
