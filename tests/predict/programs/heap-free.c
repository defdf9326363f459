// flags: -pthread
// race A: sp

/* One thread frees an object; only the order of two critical sections puts the other one's read before that. */
#include <stdlib.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *object, value, users, closers;

static void *use(void *unused)
{
	value = *object; // race A
	pthread_mutex_lock(&lock);
	users = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *close_it(void *unused)
{
	pthread_mutex_lock(&lock);
	closers = 1;
	pthread_mutex_unlock(&lock);
	free(object); // race A
	return unused;
}

int main(void)
{
	object = malloc(sizeof(*object));
	*object = 1;
	together(use, close_it);
	return users + closers > 2;
}
