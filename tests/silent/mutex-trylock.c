// flags: -pthread

/* trylock until it succeeds. */
#include <sched.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
	while (pthread_mutex_trylock(&lock))
		sched_yield();
	counter++;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(count, count, count);
	return counter != 3;
}
