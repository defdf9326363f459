// flags: -pthread
// race A B: verdict=spec-violated consequence=crash violation=null-dereference
// race C: verdict=single-ordering adhoc=data

/*
 * The flag is set before the pointer: a thread that sees the flag finds no pointer.  The data behind the pointer (C) is
 * written before the pointer, so nobody can read it too early: holding that write back shows only what A and B do.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

struct settings {
	int size;
};

static struct settings *volatile settings;
static volatile int ready;

static void *make(void *unused)
{
	struct settings *made = malloc(sizeof *made);

	ready = 1; // race A
	made->size = 7; // race C
	settings = made; // race B
	return unused;
}

static void *use(void *unused)
{
	if (ready) { // race A
		struct settings *mine = settings; // race B
		return mine->size ? unused : NULL; // race C violation A B
	}
	return unused;
}

int main(void)
{
	together(make, use);
	puts("used");
	return 0;
}
