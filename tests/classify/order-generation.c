// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* The reader waits for the second generation of a table, whose number is plain; it never reads the first one. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static int table[2];
static volatile int generation;

static void *rebuild(void *unused)
{
	for (int g = 1; g <= 2; g++) {
		for (int i = 0; i < 2; i++)
			table[i] = g * 10 + i; // race A
		generation = g;                // race B
	}
	return unused;
}

static void *look(void *unused)
{
	while (generation < 2) // race B
		sched_yield();
	printf("%d %d\n", table[0], table[1]); // race A
	return unused;
}

int main(void)
{
	together(look, rebuild);
	return 0;
}
