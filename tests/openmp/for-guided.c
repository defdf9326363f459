// flags: -fopenmp

/* The runtime distributes the iterations while they run; two regions pass them on. */
#include <stdio.h>

static int value[24];

int main(void)
{
	int wrong = 0;

#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 24; i++)
		value[i] = i;
#pragma omp parallel for schedule(guided)
	for (int i = 0; i < 24; i++)
		value[i] += value[i];
	for (int i = 0; i < 24; i++)
		wrong += value[i] != 2 * i;
	printf("%d\n", wrong);
	return 0;
}
