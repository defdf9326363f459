// flags: -pthread

/* Double-checked locking with a plain pointer: the first check sees the pointer, but nothing orders what it points to. */
#include <stdlib.h>

#include "threads.h"

struct config {
	int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *config;

static struct config *get(void)
{
	struct config *c = config; // race A

	if (!c) {
		pthread_mutex_lock(&lock);
		c = config;
		if (!c) {
			c = malloc(sizeof *c);
			c->size = 10; // race B
			config = c; // race A
		}
		pthread_mutex_unlock(&lock);
	}
	return c;
}

static void *use(void *unused)
{
	(void)unused;
	return (void *)(long)get()->size; // race B
}

int main(void)
{
	together(use, use, use);
	free(config);
	return 0;
}
