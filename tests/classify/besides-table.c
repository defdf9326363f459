// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=memory-error runs=2

/* Two threads find the last place of a table free: one of them writes beyond it. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

enum { PLACES = 1 };

static atomic_int next;
static volatile long table[PLACES];
static bool used;

static void *enter(void *n)
{
	used = true; // race A
	if (atomic_load(&next) < PLACES)
		table[atomic_fetch_add(&next, 1)] = (long)n; // failure X
	return NULL;
}

int main(void)
{
	together(enter, enter);
	puts(used ? "entered" : "empty");
	return 0;
}
