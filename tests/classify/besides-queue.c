// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=memory-error runs=2

/* A thread tests for room in one critical section and uses it in the next: two threads can get the last place. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

enum { ROOM = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *queue, length;
static unsigned tries;

static int has_room(void)
{
	pthread_mutex_lock(&lock);
	int room = length < ROOM;
	pthread_mutex_unlock(&lock);
	return room;
}

static void *put(void *value)
{
	for (int i = 0; i < 2; i++) {
		tries++; // race A
		if (!has_room())
			continue;
		pthread_mutex_lock(&lock);
		queue[length++] = (int)(long)value; // failure X
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	queue = malloc(ROOM * sizeof *queue);
	together(put, put);
	puts("full");
	free(queue);
	return 0;
}
