// flags: -pthread
// options: --k 4 --primaries 4
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* Most of it is computing: far more accesses than the recording has scheduling points. */
#include <stdio.h>

#include "../races/threads.h"

static volatile int hint;

static unsigned work(volatile unsigned *sums)
{
	for (unsigned i = 0; i < 1500000; i++)
		sums[i % 64] += i * 2654435761u;
	return sums[7];
}

static void *first(void *result)
{
	static volatile unsigned sums[64];

	hint = 1; // race A
	*(unsigned *)result = work(sums);
	return result;
}

static void *second(void *result)
{
	static volatile unsigned sums[64];

	if (hint > 1) // race A
		puts("never");
	(void)result;
	work(sums);
	return NULL;
}

int main(void)
{
	static unsigned sum;
	pthread_t a, b;

	pthread_create(&a, NULL, first, &sum);
	pthread_create(&b, NULL, second, &sum);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%u\n", sum);
	return 0;
}
