// flags: -pthread

/* Reference counting: incremented relaxed, decremented with acq_rel, freed by the last owner. */
#include <stdatomic.h>
#include <stdlib.h>

#include "../races/threads.h"

struct object {
	atomic_int references;
	int part[3];
};

static struct object *object;

static void put(struct object *o)
{
	if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_acq_rel) == 1) {
		o->part[0] += o->part[1] + o->part[2];
		free(o);
	}
}

static void *use(void *n)
{
	struct object *o = object;

	atomic_fetch_add_explicit(&o->references, 1, memory_order_relaxed);
	o->part[(long)n] = 1;
	put(o);
	put(o);
	return NULL;
}

int main(void)
{
	object = calloc(1, sizeof *object);
	atomic_init(&object->references, 3);
	together(use, use, use);
	return 0;
}
