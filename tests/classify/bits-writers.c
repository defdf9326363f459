// flags: -pthread
// race A: verdict=k-witness-harmless pattern=disjoint-bits

/*
 * Each thread sets its own bit of a word. One of the bits can get lost, but nobody tests which: the word is nonzero in
 * either case.
 */
#include <stdio.h>

#include "../races/threads.h"

static unsigned dirty;

static void *write_page(void *n)
{
	dirty |= 1u << (long)n; // race A
	return NULL;
}

int main(void)
{
	together(write_page, write_page);
	printf("%s\n", dirty ? "flush" : "clean");
	return 0;
}
