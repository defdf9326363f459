// flags: -pthread
// race A: max

/* Figure 2, case 1: r1 = y. Whatever it reads from y, it reads x next. */
#include <stdatomic.h>
#include "../../races/threads.h"

static int x, r1, r2;
static atomic_int y;

static void *first(void *unused)
{
	x = 1; // race A
	y = 1;
	return unused;
}

static void *second(void *unused)
{
	r1 = y;
	r2 = x; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return r1 + r2 > 2;
}
