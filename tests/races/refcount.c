// flags: -pthread

/* A reference count that is not atomic; the last owner frees. */
#include <stdlib.h>

#include "threads.h"

struct object {
	int references;
};

static struct object *object;

static void *put(void *unused)
{
	struct object *o = object;

	if (--o->references == 0) // race A B
		free(o); // race B
	return unused;
}

int main(void)
{
	object = malloc(sizeof *object);
	object->references = 2;
	together(put, put);
	return 0;
}
