// flags: -pthread
// race: none

/* Reference counting: the thread that drops the last reference destroys what the others have used. */
#include <stdatomic.h>
#include <stdlib.h>
#include "../../races/threads.h"

static struct object {
	atomic_int references;
	int used[2], destroyed;
} *object;

static void *user(void *number)
{
	object->used[(long)number] = 1;
	if (atomic_fetch_sub(&object->references, 1) == 1) {
		object->destroyed = object->used[0] + object->used[1];
		free(object);
	}
	return NULL;
}

int main(void)
{
	object = calloc(1, sizeof(*object));
	object->references = 2;
	together(user, user);
	return 0;
}
