// flags: -pthread
// race A: max

/*
 * A lock made of an atomic exchange. What it protects is protected: a thread enters only after it read 0. The 0 existed at
 * the start too, so the second thread could have been first.
 */
#include <stdatomic.h>
#include "../../races/threads.h"

static atomic_int busy;
static int inside, outside;

static void enter(void)
{
	while (atomic_exchange(&busy, 1))
		;
}

static void leave(void) { atomic_store(&busy, 0); }

static void *first(void *unused)
{
	outside = 1; // race A
	enter();
	inside = 1;
	leave();
	return unused;
}

static void *second(void *unused)
{
	enter();
	inside = 2;
	leave();
	outside = 2; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return inside + outside > 4;
}
