// flags: -pthread

/* Two pipes: a thread that reads from one is not ordered after a thread that writes to the other. */
#include <unistd.h>

#include "threads.h"

static int first[2], second[2];
static int value;

static void *sender(void *unused)
{
	value = 1; // race A
	return write(first[1], "x", 1) == 1 ? unused : NULL;
}

static void *receiver(void *unused)
{
	char c;

	if (read(second[0], &c, 1) != 1)
		return unused;
	return (void *)(long)value; // race A
}

int main(void)
{
	if (pipe(first) || pipe(second) || write(second[1], "y", 1) != 1)
		return 1;
	together(sender, receiver);
	return 0;
}
