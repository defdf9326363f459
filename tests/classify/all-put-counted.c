// race A B C D G: verdict=spec-violated consequence=memory-error violation=double-free|use-after-free
// race E F: verdict=single-ordering adhoc=data
// race H: verdict=output-differs
// variant: -DKEPT = nothing
/*
 * As all-put.c, with a counter beside it whose race changes the output.  A thread decides not to free the object by a
 * value whose race does harm, so that branch proves nothing; only all interleavings show that no decrement ever comes
 * after the free.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct object {
	int references;
};

static int puts_made;

static void *put(void *arg)
{
	struct object *o = arg;

	puts_made++;                  // race H
	int seen = o->references;     // race A E
	o->references = seen - 1;     // race A B D F
	if (o->references == 0)       // race B C violation A B C D G
#ifndef KEPT
		free(o);              // race C E F G violation A B C D G
#else
		puts_made += 0;
#endif
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
	printf("%d\n", puts_made);    // output H
	return 0;
}
