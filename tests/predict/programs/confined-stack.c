// flags: -pthread
// race: none

/* The value goes to the thread's stack through a pointer, and decides. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark;
static _Thread_local int *where;

static __attribute__((noinline)) void note(int *at) { where = at; }

static void *first(void *unused)
{
	mark = 1;
	pthread_mutex_lock(&lock);
	level = 5;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	int own[2] = {0};

	note(own);
	pthread_mutex_lock(&lock);
	own[1] = level;
	pthread_mutex_unlock(&lock);
	if (where[1] == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + 0 > 100;
}
