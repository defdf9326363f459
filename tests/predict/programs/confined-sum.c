// flags: -pthread
// race A: max

/* The value is added to a sum, and then comes a branch that does not depend on it. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark, total, wanted = 1;

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
	total += level;
	pthread_mutex_unlock(&lock);
	if (wanted)
		mark = 2; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + total > 100;
}
