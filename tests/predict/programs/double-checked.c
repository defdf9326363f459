// flags: -pthread
// race A: hb
// race B C: never

/*
 * Initialised by who comes first, and asked without the lock whether it was. The pointer is a race where it is asked for;
 * where it is used, and what it points to (B, C), nothing synchronises, but in sequentially consistent orders the
 * accesses are never next to each other: who gets there has seen the pointer.
 */
#include <stdlib.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings {
	int level;
} *settings;

static void *user(void *unused)
{
	if (!settings) { // race A
		pthread_mutex_lock(&lock);
		if (!settings) {
			struct settings *s = malloc(sizeof(*s));

			s->level = 3; // race C
			settings = s; // race A B
		}
		pthread_mutex_unlock(&lock);
	}
	return (void *)(long)settings->level; // race B C
}

int main(void)
{
	together(user, user);
	return settings->level > 3;
}
