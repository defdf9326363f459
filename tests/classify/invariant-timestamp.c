// flags: -pthread
// race A B: verdict=spec-violated consequence=invariant violation=invariant-in-code

/* A time stamp is negative while it is computed; without the invariant nobody would notice. */
#include <omen.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int stamp = 1;

static void *step(void *unused)
{
	stamp = -1; // race A
	stamp = 2;  // race B
	return unused;
}

static void *look(void *unused)
{
	int seen = stamp; // race A B

	OMEN_INVARIANT(seen >= 0); // violation A B
	return unused;
}

int main(void)
{
	together(look, step);
	printf("%d\n", stamp);
	return 0;
}
