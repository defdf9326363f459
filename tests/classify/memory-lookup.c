// flags: -pthread
// race A B C D E: verdict=spec-violated consequence=memory-error violation=use-after-free

/*
 * The count is atomic, but a thread takes its reference after it has looked the object up: the last owner can leave in
 * between. The other threads come only after that.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

struct item {
	atomic_int references;
	int value;
};

static struct item *volatile cache;

static void put(struct item *i)
{
	if (atomic_fetch_sub(&i->references, 1) == 1) // race D
		free(i);                              // race B C D E
}

static void *look_up(void *unused)
{
	struct item *i = cache; // race A
	int value;

	if (!i)
		return unused;
	atomic_fetch_add(&i->references, 1); // race B violation A B C D E
	value = i->value;                    // race C
	put(i);
	return value ? unused : NULL;
}

static void *evict(void *unused)
{
	struct item *i = cache;

	cache = NULL; // race A
	put(i);
	return unused;
}

int main(void)
{
	cache = malloc(sizeof *cache);
	atomic_init(&cache->references, 1);
	cache->value = 5;
	together(look_up, evict);
	puts("done");
	return 0;
}
