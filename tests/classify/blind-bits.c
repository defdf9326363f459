// flags: -pthread
// options: --blind mutex
// race A: verdict=single-ordering

/* Different bits of one word, with a lock: none gets lost. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned bits;

static void *set(void *n)
{
	pthread_mutex_lock(&lock);
	bits |= 1u << (long)n; // race A
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(set, set, set);
	printf("%u\n", bits);
	return 0;
}
