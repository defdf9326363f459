// flags: -pthread

/* An array that grows, and moves, under its lock. */
#include <stdlib.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *array;
static size_t used, room;

static void *append(void *n)
{
	for (int i = 0; i < 8; i++) {
		pthread_mutex_lock(&lock);
		if (used == room) {
			room = room ? 4 * room : 1;
			array = realloc(array, room * sizeof *array);
		}
		array[used++] = (int)(long)n;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	int sum = 0;

	together(append, append, append);
	for (size_t i = 0; i < used; i++)
		sum += array[i];
	free(array);
	return sum != 24;
}
