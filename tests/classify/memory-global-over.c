// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=global-overflow

/* The current level of a trace can be "none", and that is the number after the last. */
#include <stdio.h>

#include "../races/threads.h"

enum level { LOW, HIGH, NONE };

static volatile enum level current = HIGH;
static int lines[NONE];

static void *trace(void *unused)
{
	if (current != NONE)      // race A
		lines[current]++; // race B violation A B
	return unused;
}

static void *switch_off(void *unused)
{
	current = NONE; // race A B
	return unused;
}

int main(void)
{
	together(trace, switch_off);
	puts("off");
	return 0;
}
