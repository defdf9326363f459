// flags: -pthread
// race A C: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* Three threads append to a text in turn; a plain number says whose turn it is. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int turn;
static char text[4];
static int length;

static void *append(void *n)
{
	while (turn != (long)n) // race B
		sched_yield();
	text[length++] = (char)('x' + (long)n); // race A
	turn = (int)(long)n + 1;                // race B C
	return NULL;
}

int main(void)
{
	together(append, append, append);
	printf("%s\n", text);
	return 0;
}
