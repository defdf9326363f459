// flags: -pthread
// race A: max

/*
 * Two threads open the gate, and the third tests whether it is open. In this execution it saw the second one's write, and
 * could have seen the first one's.
 */
#include <stdatomic.h>
#include "../../races/threads.h"

static atomic_int gate;
static int visitors;

static void *opener(void *unused)
{
	atomic_store(&gate, 1);
	return unused;
}

static void *doorman(void *unused)
{
	visitors = 1; // race A
	atomic_store(&gate, 1);
	return unused;
}

static void *visitor(void *unused)
{
	if (atomic_load(&gate) == 1)
		visitors = 2; // race A
	return unused;
}

int main(void)
{
	together(opener, doorman, visitor);
	return visitors > 2;
}
