// flags: -pthread

/* A race on a block of memory; then the block is freed, in order, and its memory is used again, in order. */
#include <semaphore.h>
#include <stdlib.h>

#include "threads.h"

static sem_t written;
static int *block;

static void *writer(void *unused)
{
	block[0] = 1; // race A
	sem_post(&written);
	return unused;
}

static void *reader(void *unused)
{
	int seen = block[0]; // race A

	sem_wait(&written);
	free(block);
	int *again = malloc(16 * sizeof *again);
	again[0] = seen;
	free(again);
	return unused;
}

int main(void)
{
	sem_init(&written, 0, 0);
	block = calloc(16, sizeof *block);
	together(writer, reader);
	return 0;
}
