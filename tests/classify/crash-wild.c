// flags: -pthread
// race A B: verdict=spec-violated consequence=crash violation=wild-dereference

/* A table and an offset belong together: the offset of one with the address of the other points nowhere. */
#include <stdio.h>

#include "../races/threads.h"

#define FAR (1L << 40)

static char near_text[] = "near";
static char *volatile base = near_text;
static volatile long offset;

static void *move(void *unused)
{
	offset = FAR;           // race A
	base = near_text - FAR; // race B
	return unused;
}

static void *look(void *unused)
{
	char *from = base; // race B

	putchar(from[offset]); // race A violation A B
	return unused;
}

int main(void)
{
	together(look, move);
	return 0;
}
