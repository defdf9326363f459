// race A B C D G: verdict=spec-violated consequence=memory-error violation=double-free
// race E F: verdict=single-ordering adhoc=data
/*
 * A reference count without a lock: both threads can reach 0 and free the object.  The thread that frees it has seen the
 * other one's decrement, so no access of a decrement comes after the free; only all interleavings show
 * that.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct object {
	int references;
};

static void *put(void *arg)
{
	struct object *o = arg;

	int seen = o->references;     // race A E
	o->references = seen - 1;     // race A B D F
	if (o->references == 0)       // race B C
		free(o);              // race C E F G violation A B C D G
	return NULL;
}

int main(void)
{
	struct object *o = malloc(sizeof *o);
	pthread_t a, b;

	o->references = 2;
	pthread_create(&a, NULL, put, o);
	pthread_create(&b, NULL, put, o);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
