// flags: -pthread
// race: none

/* The sum itself decides; it is read from memory that main reads as well. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark, total;

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
	total += level;
	pthread_mutex_unlock(&lock);
	if (total == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + total > 100;
}
