// flags: -pthread

/* volatile orders nothing between threads. */
#include "threads.h"

static volatile int full;
static int item;

static void *put(void *unused)
{
	item = 7; // race A
	full = 1; // race B C
	return unused;
}

static void *take(void *unused)
{
	int sum = 0;

	for (int i = 0; i < 100 && !sum; i++)
		if (full) { // race B
			sum += item; // race A
			full = 0; // race C
		}
	return sum ? NULL : unused;
}

int main(void)
{
	together(put, take);
	return 0;
}
