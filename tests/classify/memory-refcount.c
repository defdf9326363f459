// flags: -pthread
// race A B C E: verdict=spec-violated consequence=memory-error violation=use-after-free|double-free
// race D: verdict=single-ordering adhoc=data

/*
 * A reference count is decremented and then read: both owners can find it zero, or one reads it when the object
 * is gone. It is never zero before both have decremented it, so no free comes before a decrement.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

struct object {
	volatile int references;
};

static struct object *object;
static int freed[2];

static void *put(void *n)
{
	struct object *o = object;

	o->references--;          // race A B D
	if (o->references == 0) { // race B C violation A B C E
		freed[(long)n] = 1;
		free(o); // race C D E violation A B C E
	}
	return NULL;
}

int main(void)
{
	object = malloc(sizeof *object);
	object->references = 2;
	together(put, put);
	puts(freed[0] || freed[1] ? "gone" : "forgotten");
	return 0;
}
