// flags: -pthread

/* Exit handlers read what joined threads have written; a thread calls exit. */
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

static int value;

static void last(void)
{
	if (value != 3)
		_exit(1);
}

static void first(void)
{
	value++;
}

static void *add(void *unused)
{
	value++;
	return unused;
}

static void *leave(void *unused)
{
	value++;
	exit(0);
	return unused;
}

int main(void)
{
	atexit(last);
	atexit(first);
	together(add);
	together(leave);
	return 1;
}
