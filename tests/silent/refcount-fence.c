// flags: -pthread

/* Reference counting with a release decrement and an acquire fence for the last owner only. */
#include <stdatomic.h>
#include <stdlib.h>

#include "../races/threads.h"

struct object {
	atomic_int references;
	int part[3];
};

static struct object *object;

static void *use(void *n)
{
	struct object *o = object;

	o->part[(long)n] = 1;
	if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_release) == 1) {
		atomic_thread_fence(memory_order_acquire);
		o->part[0] += o->part[1] + o->part[2];
		free(o);
	}
	return NULL;
}

int main(void)
{
	object = calloc(1, sizeof *object);
	atomic_init(&object->references, 3);
	together(use, use, use);
	return 0;
}
