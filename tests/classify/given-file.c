// flags: -pthread
// race A: verdict=output-differs stream=level

/* The last level goes to a file; nothing is printed. */
#include <stdio.h>

#include "../races/threads.h"

static int level;

static void *raise_to_1(void *unused)
{
	level = 1; // race A
	return unused;
}

static void *raise_to_2(void *unused)
{
	level = 2; // race A
	return unused;
}

int main(void)
{
	FILE *out = fopen("level", "w");

	if (!out)
		return 1;
	together(raise_to_1, raise_to_2);
	fprintf(out, "the level is\n%d\n", level); // output A
	return fclose(out) != 0;
}
