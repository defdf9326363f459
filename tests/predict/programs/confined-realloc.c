// flags: -pthread
// race: none

/* The deciding value moves with a block when realloc moves it. */
#include <stdlib.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark, *sums;

static void *first(void *unused)
{
	mark = 1;
	pthread_mutex_lock(&lock);
	sums[0] = 1;
	level = 5;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	int sum;

	pthread_mutex_lock(&lock);
	sums[0] = level;
	sums = realloc(sums, 100000);
	sum = sums[0];
	pthread_mutex_unlock(&lock);
	if (sum == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	sums = calloc(4, sizeof *sums);
	together(first, second);
	free(sums);
	return mark > 100;
}
