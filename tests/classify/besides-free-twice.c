// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=memory-error runs=3

/*
 * A thread tests under the lock whether there is a buffer, and frees it under the lock; between the two the other
 * thread can test as well. Both write that somebody was here, and both write the same value.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;
static bool used;

static void *drop(void *unused)
{
	used = true; // race A
	pthread_mutex_lock(&lock);
	char *mine = buffer;
	pthread_mutex_unlock(&lock);
	if (!mine)
		return unused;
	pthread_mutex_lock(&lock);
	free(mine); // failure X
	buffer = NULL;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	buffer = malloc(8);
	together(drop, drop);
	puts(used ? "dropped" : "unused");
	return 0;
}
