// flags: -pthread
// race: none

/* The value goes through memory that only this thread uses, and decides much later. */
#include <stdlib.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark;

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
	int *own = malloc(2 * sizeof(*own));

	pthread_mutex_lock(&lock);
	own[1] = level;
	pthread_mutex_unlock(&lock);
	own[0] = own[1] - 1;
	if (own[0] == 4)
		mark = 2;
	free(own);
	return unused;
}

int main(void)
{
	together(first, second);
	return mark > 2;
}
