// flags: -pthread
// race: none

/* A flag under a lock hands data over: a thread that sees the flag comes after the data. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, data, result;

static void *produce(void *unused)
{
	data = 42;
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *consume(void *unused)
{
	int is_ready;

	pthread_mutex_lock(&lock);
	is_ready = ready;
	pthread_mutex_unlock(&lock);
	if (is_ready)
		result = data;
	return unused;
}

int main(void)
{
	together(produce, consume);
	return result > 42;
}
