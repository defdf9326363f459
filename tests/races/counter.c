// flags: -pthread
// repeat: 100

/* An unprotected counter. */
#include "threads.h"

static int hits;

static void *count(void *unused)
{
	for (int i = 0; i < 3; i++)
		hits++; // race A
	return unused;
}

int main(void)
{
	together(count, count, count);
	return 0;
}
