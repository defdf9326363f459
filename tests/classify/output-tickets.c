// flags: -pthread
// race A: verdict=output-differs

/* Two customers can draw the same number. */
#include <stdio.h>

#include "../races/threads.h"

static volatile int next_ticket = 1;
static int ticket[2];

static void *draw(void *n)
{
	ticket[(long)n] = next_ticket++; // race A
	return NULL;
}

int main(void)
{
	together(draw, draw);
	printf("%s\n", ticket[0] == ticket[1] ? "the same" : "different");
	return 0;
}
