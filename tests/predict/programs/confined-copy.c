// flags: -pthread
// race: none

/* memcpy copies the deciding value first. */
#include <string.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark;

struct sums {
	int total, more[20];
} sums;

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
	struct sums copy;

	pthread_mutex_lock(&lock);
	sums.total = level;
	pthread_mutex_unlock(&lock);
	memcpy(&copy, &sums, sizeof copy);
	if (copy.total == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + sums.total > 100;
}
