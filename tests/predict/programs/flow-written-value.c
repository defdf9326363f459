// flags: -pthread
// race: none

/*
 * A value passes through three threads. The last one branches on what the second one wrote, and that depends on what the
 * second one read from the first; no thread branches on the way.
 */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int step_one, step_two, mark;

static void *first(void *unused)
{
	mark = 1;
	pthread_mutex_lock(&lock);
	step_one = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	step_two = step_one;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *third(void *unused)
{
	int go;

	pthread_mutex_lock(&lock);
	go = step_two;
	pthread_mutex_unlock(&lock);
	if (go)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second, third);
	return mark > 2;
}
