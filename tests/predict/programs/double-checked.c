// flags: -pthread
// race A: hb
// race B C: never

/*
 * The first thread initialises; others test the pointer without the lock. That test is a race. Nothing synchronises the
 * use of the pointer and of what it points to (B, C), but in sequentially consistent orders these accesses are never
 * adjacent: a thread that gets there has seen the pointer.
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
