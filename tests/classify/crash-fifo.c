// flags: -pthread
// race A: verdict=spec-violated consequence=crash violation=null-dereference

/* The end of a compressor: main frees the queue when all blocks are done, while the last consumer still uses it. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

struct fifo {
	pthread_mutex_t lock;
	int blocks;
};

static struct fifo queue = {PTHREAD_MUTEX_INITIALIZER, 1};
static struct fifo *volatile fifo = &queue;

static void *consume(void *unused)
{
	pthread_mutex_lock(&queue.lock);
	fifo->blocks--; // race A violation A
	pthread_mutex_unlock(&queue.lock);
	return unused;
}

static void *take_down(void *unused)
{
	fifo = NULL; // race A
	return unused;
}

int main(void)
{
	together(consume, take_down);
	printf("%d left\n", queue.blocks);
	return 0;
}
