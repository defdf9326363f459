// flags: -pthread
// race A: max

/* The value that is read is passed to a function, which only stores it. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark, kept;

static __attribute__((noinline)) void keep(int value) { kept = 2 * value; }

static void *first(void *unused)
{
	mark = 1; // race A
	pthread_mutex_lock(&lock);
	level = 5;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	keep(level);
	pthread_mutex_unlock(&lock);
	mark = 2; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + kept > 12;
}
