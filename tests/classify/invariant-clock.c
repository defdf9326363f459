// flags: -pthread
// options: --invariant 'invariant-clock.c:timestamp >= 0'
// race A: verdict=spec-violated consequence=invariant violation=invariant-option

/*
 * A time stamp is computed from a clock that may not be set yet, and corrected at the end: only a watch on
 * the variable shows that it was negative.
 */
#include <stdio.h>

#include "../races/threads.h"

static int now;
static volatile int timestamp;

static void *set_clock(void *unused)
{
	now = 10; // race A
	return unused;
}

static void *simulate(void *unused)
{
	timestamp = now - 5; // race A violation A
	timestamp = 0;
	return unused;
}

int main(void)
{
	together(set_clock, simulate);
	printf("%d\n", timestamp);
	return 0;
}
