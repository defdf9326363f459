// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=both-values-valid

/*
 * The maximum in use is stored without a lock and may miss a peak; it only has to be below the limit. Nothing is
 * added up: each value is below it.
 */
#include <stdio.h>

#include "../races/threads.h"

#define LIMIT 1000

static int peak;

static void *use(void *n)
{
	int in_use = 10 * (1 + (int)(long)n);

	if (in_use > peak)     // race A
		peak = in_use; // race A B
	return NULL;
}

int main(void)
{
	together(use, use, use);
	puts(peak > LIMIT ? "too much" : "enough");
	return 0;
}
