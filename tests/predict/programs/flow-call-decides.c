// flags: -pthread
// race: none

/* The value that is read is passed to a function, which branches on it to choose the writer. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark;

static __attribute__((noinline)) void raise_to(int value)
{
	if (value > 3)
		mark = 2;
}

static void *first(void *unused)
{
	mark = 1;
	pthread_mutex_lock(&lock);
	level = 5;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	int value;

	pthread_mutex_lock(&lock);
	value = level;
	pthread_mutex_unlock(&lock);
	raise_to(value);
	return unused;
}

int main(void)
{
	together(first, second);
	return mark > 2;
}
