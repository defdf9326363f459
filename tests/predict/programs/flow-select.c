// flags: -pthread
// race A: max

/* A choice between two values that are both at hand is no branch: it changes what is written, not whether. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned level, limit = 3, mark, kept;

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
	kept = (level > limit) * 16 + (level & limit);
	pthread_mutex_unlock(&lock);
	mark = 2; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + kept > 40;
}
