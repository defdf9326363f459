// flags: -pthread
// race A B: verdict=spec-violated consequence=invariant violation=invariant-in-code

/* Money that leaves one account arrives in the other a moment later. */
#include <omen.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int savings = 60, checking = 40;

static void *transfer(void *unused)
{
	savings = savings - 10;   // race A
	checking = checking + 10; // race B
	return unused;
}

static void *audit(void *unused)
{
	int total = savings; // race A

	total += checking;            // race B
	OMEN_INVARIANT(total == 100); // violation A B
	return unused;
}

int main(void)
{
	together(audit, transfer);
	printf("%d %d\n", savings, checking);
	return 0;
}
