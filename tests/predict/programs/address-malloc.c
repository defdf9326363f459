// flags: -pthread
// race: none

/* How much is allocated is read from memory; so is, in a loop, how often. */
#include <stdlib.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count = 1, x[4];

static void *grow(void *unused)
{
	x[2] = 1;
	pthread_mutex_lock(&lock);
	count = 3;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *use(void *unused)
{
	int n, *own;

	pthread_mutex_lock(&lock);
	n = count;
	pthread_mutex_unlock(&lock);
	own = calloc(n, sizeof(*own));
	for (int i = 0; i < n; i++)
		x[i] = own[i];
	free(own);
	return unused;
}

int main(void)
{
	together(grow, use);
	return x[2] > 1;
}
