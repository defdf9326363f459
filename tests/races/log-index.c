// flags: -pthread

/* A ring of log entries whose index nobody protects. */
#include "threads.h"

static int entry[4];
static unsigned next;

static void *note(void *n)
{
	for (int i = 0; i < 4; i++) {
		unsigned at = next++; // race A
		entry[at % 4] = (int)(long)n; // race B
	}
	return NULL;
}

int main(void)
{
	together(note, note);
	return 0;
}
