// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* The last block of a compressor says that all is done; the writer reads that every 50 ms. */
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static long blocks[4];
static int all_done;

static void *compress(void *unused)
{
	for (int i = 0; i < 4; i++)
		blocks[i] = 100L * i; // race A
	all_done = 1;                 // race B
	return unused;
}

static void *write_out(void *unused)
{
	long size = 0;

	while (!all_done) // race B
		usleep(50000);
	for (int i = 0; i < 4; i++)
		size += blocks[i]; // race A
	printf("%ld\n", size);
	return unused;
}

int main(void)
{
	together(write_out, compress);
	return 0;
}
