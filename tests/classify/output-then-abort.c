// flags: -pthread
// race A: verdict=output-differs
// failure X: kind=crash

/* The race decides what is printed, and then every execution fails. */
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

static int last;

static void *one(void *unused)
{
	last = 1; // race A
	return unused;
}

static void *two(void *unused)
{
	last = 2; // race A
	return unused;
}

int main(void)
{
	together(one, two);
	char digit = (char)('0' + last);
	(void)!write(1, &digit, 1);
	abort(); // failure X
}
