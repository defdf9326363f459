// flags: -pthread

/* Each thread sets a bit of its own, in one word. */
#include "threads.h"

static unsigned flags;

static void *set_bit(void *n)
{
	flags |= 1u << (long)n; // race A
	return NULL;
}

int main(void)
{
	together(set_bit, set_bit, set_bit);
	return 0;
}
