// flags: -pthread
// race A: verdict=k-witness-harmless pattern=double-check
// race B: verdict=single-ordering adhoc=data pattern=double-check

/*
 * The same with an object behind a pointer. The writer writes the size before the pointer, so a thread that reads the size
 * has seen the pointer; a thread that has not seen it waits for the lock. So the size is never read first.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

struct config {
	int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *config;
static int sizes[3];

static struct config *get(void)
{
	struct config *c = config; // race A

	if (!c) {
		pthread_mutex_lock(&lock);
		c = config;
		if (!c) {
			c = malloc(sizeof *c);
			c->size = 10; // race B
			config = c;   // race A
		}
		pthread_mutex_unlock(&lock);
	}
	return c;
}

static void *use(void *n)
{
	sizes[(long)n] = get()->size; // race B
	return NULL;
}

int main(void)
{
	together(use, use, use);
	printf("%d\n", sizes[0] + sizes[1] + sizes[2]);
	free(config);
	return 0;
}
