// flags: -pthread
// race: none

/* The sum is in memory that only this thread uses, and decides. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark;
static long own;

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
	pthread_mutex_lock(&lock);
	own += level;
	pthread_mutex_unlock(&lock);
	if (own == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + 0 > 100;
}
