// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* A plain flag, and a thread that reads it again and again until it is set. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static int data;
static volatile bool ready;

static void *produce(void *unused)
{
	data = 42;    // race A
	ready = true; // race B
	return unused;
}

static void *consume(void *unused)
{
	while (!ready) // race B
		;
	printf("%d\n", data); // race A
	return unused;
}

int main(void)
{
	together(produce, consume);
	return 0;
}
