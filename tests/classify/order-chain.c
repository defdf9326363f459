// flags: -pthread
// race A D E: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B C: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* A value passes through three threads, each waiting for a flag of the one before. */
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static int value;
static volatile int made, doubled;

static void *make(void *unused)
{
	value = 4; // race A E
	made = 1;  // race B
	return unused;
}

static void *twice(void *unused)
{
	while (!made) // race B
		usleep(10);
	value = 2 * value; // race A D
	doubled = 1;       // race C
	return unused;
}

static void *show(void *unused)
{
	while (!doubled) // race C
		usleep(10);
	printf("%d\n", value); // race D E
	return unused;
}

int main(void)
{
	together(make, twice, show);
	return 0;
}
