// flags: -pthread
// race A: max

/* An atomic counter on which no branch depends: it orders the two threads only in this execution. */
#include <stdatomic.h>
#include "../../races/threads.h"

static atomic_int served;
static int last, numbers[2];

static void *first(void *unused)
{
	last = 1; // race A
	numbers[0] = atomic_fetch_add(&served, 1);
	return unused;
}

static void *second(void *unused)
{
	numbers[1] = atomic_fetch_add(&served, 1);
	last = 2; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return last + numbers[0] + numbers[1] > 3;
}
