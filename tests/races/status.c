// flags: -pthread

/* The error of the last call in a global variable, as errno was before threads. */
#include "threads.h"

static int last_error;

static void call(int n)
{
	last_error = n; // race A B
}

static void *work(void *n)
{
	call((int)(long)n);
	return (void *)(long)last_error; // race B
}

int main(void)
{
	together(work, work);
	return 0;
}
