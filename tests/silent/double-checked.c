// flags: -pthread

/* Double-checked locking done right. */
#include <stdatomic.h>
#include <stdlib.h>

#include "../races/threads.h"

struct config {
	int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *_Atomic config;

static struct config *get(void)
{
	struct config *c = atomic_load_explicit(&config, memory_order_acquire);

	if (c)
		return c;
	pthread_mutex_lock(&lock);
	c = atomic_load_explicit(&config, memory_order_relaxed);
	if (!c) {
		c = malloc(sizeof *c);
		c->size = 10;
		atomic_store_explicit(&config, c, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	return c;
}

static void *use(void *unused)
{
	return get()->size == 10 ? unused : NULL;
}

int main(void)
{
	together(use, use, use);
	free(config);
	return 0;
}
