// flags: -pthread

/* The kernel writes into a buffer on behalf of read(2). Of the buffer's bytes only those that arrived are written. */
#include <unistd.h>

#include "threads.h"

static int ends[2];
static char buffer[64];

static void *fill(void *unused)
{
	return read(ends[0], buffer, sizeof buffer) == 5 ? unused : NULL; // race A
}

static void *look(void *unused)
{
	(void)unused;
	return (void *)(long)buffer[4]; // race A
}

static void *look_behind(void *unused)
{
	(void)unused;
	return (void *)(long)buffer[5];
}

int main(void)
{
	if (pipe(ends) || write(ends[1], "hello", 5) != 5)
		return 1;
	together(fill, look, look_behind);
	return 0;
}
