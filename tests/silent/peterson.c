// flags: -pthread

/* Peterson's lock with seq_cst. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int wants[2], turn;
static int counter;

static void *count(void *number)
{
	int n = (int)(long)number;

	for (int i = 0; i < 3; i++) {
		atomic_store(&wants[n], 1);
		atomic_store(&turn, 1 - n);
		while (atomic_load(&wants[1 - n]) && atomic_load(&turn) == 1 - n)
			sched_yield();
		counter++;
		atomic_store(&wants[n], 0);
	}
	return NULL;
}

int main(void)
{
	together(count, count);
	return counter != 6;
}
