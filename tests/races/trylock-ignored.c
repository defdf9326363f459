// flags: -pthread

/* trylock fails, and the thread continues as if it had succeeded. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
	int failed = pthread_mutex_trylock(&lock);

	counter++; // race A
	if (!failed)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(count, count);
	return 0;
}
