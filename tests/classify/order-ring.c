// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B C: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* A ring between one writer and one reader: each waits for the other's index. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

#define SLOTS 2u
#define ITEMS 5u

static unsigned slots[SLOTS];
static volatile unsigned written, taken;
static unsigned sum;

static void *put(void *unused)
{
	for (unsigned n = 0; n < ITEMS; n++) {
		while (n - taken == SLOTS) // race C
			sched_yield();
		slots[n % SLOTS] = n * n; // race A
		written = n + 1;          // race B
	}
	return unused;
}

static void *take(void *unused)
{
	for (unsigned n = 0; n < ITEMS; n++) {
		while (written == n) // race B
			sched_yield();
		sum = sum * 2 + slots[n % SLOTS]; // race A
		taken = n + 1;                    // race C
	}
	return unused;
}

int main(void)
{
	together(put, take);
	printf("%u\n", sum);
	return 0;
}
