// flags: -pthread
// race: none

/* The deciding value is part of a structure that is passed by value. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark;

struct sums {
	int total, more[20];
} sums;

static __attribute__((noinline)) int total_of(struct sums copy) { return copy.total; }

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
	sums.total = level;
	pthread_mutex_unlock(&lock);
	if (total_of(sums) == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + sums.total > 100;
}
