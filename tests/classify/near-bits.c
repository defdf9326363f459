// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=both-values-valid

/* Bits of one word again, but the reader also tests the bit that changes, and the writers share one. */
#include <stdio.h>

#include "../races/threads.h"

static unsigned flags = 1, dirty;
static int any;

static void *turn(void *unused)
{
	flags ^= 2u; // race A
	dirty |= 3u; // race B
	return unused;
}

static void *look(void *unused)
{
	any = (flags & 3u) != 0; // race A
	dirty |= 6u;             // race B
	return unused;
}

int main(void)
{
	together(turn, look);
	printf("%d %d\n", any, dirty != 0);
	return 0;
}
