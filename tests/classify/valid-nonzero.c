// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* Several threads report an error, each with another number; main only tests whether there was one. */
#include <stdio.h>

#include "../races/threads.h"

static int error;

static void *fail(void *n)
{
	error = 10 + (int)(long)n; // race A
	return NULL;
}

int main(void)
{
	together(fail, fail, fail);
	puts(error ? "some failed" : "all well");
	return 0;
}
