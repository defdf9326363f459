// expect: crash
// at: reader
// strategy: mixed random pct:3
// flags: -pthread

/*
 * Use after free on a reference count: a reader looks the object up and takes its reference in a second step; the
 * last owner can leave in between. Freeing clears the pointer inside, so that the late use always faults.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct object {
	atomic_int references;
	const char *volatile name;
};

static struct object object = {1, "cache"};
static struct object *_Atomic published = &object;

static void put(struct object *o)
{
	if (atomic_fetch_sub(&o->references, 1) == 1) {
		atomic_store(&published, NULL);
		o->name = NULL;
	}
}

static void *reader(void *unused)
{
	struct object *o = atomic_load(&published);

	if (!o)
		return unused;
	atomic_fetch_add(&o->references, 1);
	printf("name starts with %c\n", o->name[0]); /* HERE */
	put(o);
	return unused;
}

static void *owner(void *unused)
{
	put(&object);
	return unused;
}

int main(void)
{
	pthread_t r, o;

	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&o, NULL, owner, NULL);
	pthread_join(r, NULL);
	pthread_join(o, NULL);
	return 0;
}
