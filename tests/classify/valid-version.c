// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* One of two functions is chosen at run time; both give the same sum. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static bool fast;
static int sum;

static int sum_slowly(int n)
{
	int s = 0;

	for (int i = 1; i <= n; i++)
		s += i;
	return s;
}

static void *tune(void *unused)
{
	fast = true; // race A
	return unused;
}

static void *add(void *unused)
{
	for (int n = 1; n < 5; n++)
		sum += fast ? n * (n + 1) / 2 : sum_slowly(n); // race A
	return unused;
}

int main(void)
{
	together(tune, add);
	printf("%d\n", sum);
	return 0;
}
