// flags: -pthread
// race A: verdict=output-differs
// race B: verdict=output-differs
// race C: verdict=output-differs

/* snprintf() knows only at its end how much it has written, and printf() reads a string somewhere inside. */
#include <stdio.h>

#include "../races/threads.h"

static char name[16];

static void *first(void *n)
{
	snprintf(name, sizeof name, "number %ld", (long)n + 100); // race A B
	return NULL;
}

static void *second(void *n)
{
	snprintf(name, sizeof name, "count %ld", (long)n); // race A C
	return NULL;
}

static void *third(void *unused)
{
	printf("%s\n", name); // race B C output A B C
	return unused;
}

int main(void)
{
	together(first, second, third);
	puts(name); // output A B C
	return 0;
}
