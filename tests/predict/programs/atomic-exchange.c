// flags: -pthread
// race: none

/* A slot that a thread claims by compare and swap: the thread that has it has seen that it was filled. */
#include <stdatomic.h>
#include "../../races/threads.h"

static atomic_int state;
static int slot, taken;

static void *put(void *unused)
{
	slot = 9;
	atomic_store(&state, 1);
	return unused;
}

static void *take(void *unused)
{
	int expected = 1;

	if (atomic_compare_exchange_strong(&state, &expected, 2))
		taken = slot;
	return unused;
}

int main(void)
{
	together(put, take);
	return taken > 9;
}
