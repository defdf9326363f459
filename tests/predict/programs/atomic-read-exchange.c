// flags: -pthread
// race: none

/* A plain read, and a compare and swap that writes only after it: where the two are adjacent, it does not write. */
#include <stdatomic.h>
#include "../../races/threads.h"

static atomic_int state;
static int before;

static void *begin(void *unused)
{
	before = *(int *)&state;
	atomic_store(&state, 1);
	return unused;
}

static void *finish(void *unused)
{
	int begun = 1;

	atomic_compare_exchange_strong(&state, &begun, 2);
	return unused;
}

int main(void)
{
	together(begin, finish);
	return before;
}
