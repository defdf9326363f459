// flags: -pthread
// race A B C: verdict=k-witness-harmless pattern=both-values-valid

/* A counter, but one thread starts it again: the result is not the sum of what was added. */
#include <stdio.h>

#include "../races/threads.h"

static int errors;

static void *fail(void *unused)
{
	errors += 2; // race A B
	return unused;
}

static void *forget(void *unused)
{
	errors = 1; // race B C
	return unused;
}

static void *look(void *unused)
{
	if (errors > 100) // race A C
		puts("too many");
	return unused;
}

int main(void)
{
	together(fail, forget, look);
	puts("done");
	return 0;
}
