// flags: -pthread

/* A pipe orders what happens before the write, and nothing later. */
#include <unistd.h>

#include "threads.h"

static int ends[2];
static int early, late;

static void *sender(void *unused)
{
	early = 1;
	if (write(ends[1], "x", 1) != 1)
		return NULL;
	late = 1; // race A
	return unused;
}

static void *receiver(void *unused)
{
	char c;
	int sum = 0;

	(void)unused;
	if (read(ends[0], &c, 1) == 1) {
		sum = early;
		sum += late; // race A
	}
	return (void *)(long)sum;
}

int main(void)
{
	if (pipe(ends))
		return 1;
	together(sender, receiver);
	return 0;
}
