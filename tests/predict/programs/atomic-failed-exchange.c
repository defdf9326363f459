// flags: -pthread
// race: none

/* A compare and swap that fails has seen another thread's write, and with it what that thread wrote before. */
#include <stdatomic.h>
#include "../../races/threads.h"

static atomic_int owner;
static int name, known;

static void *own(void *unused)
{
	int nobody = 0;

	name = 1;
	atomic_compare_exchange_strong(&owner, &nobody, 1);
	return unused;
}

static void *ask(void *unused)
{
	int nobody = 0;

	if (!atomic_compare_exchange_strong(&owner, &nobody, 2))
		known = name;
	return unused;
}

int main(void)
{
	together(own, ask);
	return known > 1;
}
