// flags: -pthread
// race A B C D E F: verdict=k-witness-harmless pattern=both-values-valid

/*
 * Two values change together, and a reader reads until a count says that no writer was changing them meanwhile.  While
 * the writer is held between the two the reader reads them again and again; but it does not wait for them: a thread that
 * reads before all of it has both values, too.
 */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int count;
static int left, right;

static void *change(void *unused)
{
	count = 1; // race A E
	left = 1;  // race B
	right = 1; // race C
	count = 2; // race D F
	return unused;
}

static void *look(void *unused)
{
	int before, l, r;

	do {
		before = count; // race A D
		l = left;       // race B
		r = right;      // race C
	} while (before & 1 || before != count); // race E F
	assert(l == r);
	puts("a pair");
	return unused;
}

int main(void)
{
	together(change, look);
	return 0;
}
