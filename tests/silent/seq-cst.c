// flags: -pthread

/* Dekker's entry protocol with seq_cst: at most one thread sees the other's flag down, and only that one enters. */
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int flag[2];
static int inside;

static void *enter(void *number)
{
	long n = (long)number;

	atomic_store(&flag[n], 1);
	if (!atomic_load(&flag[1 - n]))
		inside++;
	return NULL;
}

int main(void)
{
	together(enter, enter);
	return inside > 1;
}
