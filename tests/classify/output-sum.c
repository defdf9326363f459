// flags: -pthread
// race A: verdict=output-differs

/* Each thread adds its part of a scalar product to the sum, which is read and written in two steps. */
#include <stdio.h>

#include "../races/threads.h"

static const double a[4] = {1, 2, 3, 4}, b[4] = {0.5, 0.25, 2, 1};
static double product;

static void *multiply(void *n)
{
	double part = 0;

	for (long i = 2 * (long)n; i < 2 * (long)n + 2; i++)
		part += a[i] * b[i];
	product += part; // race A
	return NULL;
}

int main(void)
{
	together(multiply, multiply);
	printf("%g\n", product);
	return 0;
}
