// flags: -pthread

/* A function that returns its own static buffer. */
#include "threads.h"

static const char *digit(long n)
{
	static char text[2];

	text[0] = (char)('0' + n); // race A B
	return text;
}

static void *print(void *n)
{
	const char *text = digit((long)n);

	return (void *)(long)text[0]; // race B
}

int main(void)
{
	together(print, print);
	return 0;
}
