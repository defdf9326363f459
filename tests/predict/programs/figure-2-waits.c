// flags: -pthread
// race: none

/* Figure 2, case 2: while (y == 0). The same accesses as in case 1, but x is read only after y was 1. */
#include <stdatomic.h>
#include "../../races/threads.h"

static int x, r2;
static atomic_int y;

static void *first(void *unused)
{
	x = 1;
	y = 1;
	return unused;
}

static void *second(void *unused)
{
	while (y == 0)
		;
	r2 = x;
	return unused;
}

int main(void)
{
	together(first, second);
	return r2 > 1;
}
