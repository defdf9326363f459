// flags: -pthread
// race A: hb

/* A byte through a pipe orders, like a semaphore. A thread that does not read it is not ordered. */
#include <unistd.h>
#include "../../races/threads.h"

static int ends[2], message, count, got;

static void *put(void *unused)
{
	message = 1;
	if (write(ends[1], "x", 1) != 1)
		return NULL;
	count = 1; // race A
	return unused;
}

static void *get(void *unused)
{
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		return NULL;
	got = message;
	count = 2; // race A
	return unused;
}

int main(void)
{
	if (pipe(ends) != 0)
		return 1;
	together(put, get);
	return got + count > 3;
}
