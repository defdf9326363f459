// flags: -pthread
// race A: verdict=output-differs

/* Readers share the lock, and count themselves under it. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int reads;

static void *look(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	reads++; // race A
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	together(look, look, look);
	printf("%d reads\n", reads);
	return 0;
}
