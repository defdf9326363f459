// flags: -pthread
// race A: hb
// race B: never

/*
 * A busy wait on a plain flag. The flag races; nothing synchronises the data, but a thread that reads it has seen the
 * flag, so the accesses are never adjacent (B).
 */
#include "../../races/threads.h"

static volatile int ready;
static int data, got;

static void *wait_for_it(void *unused)
{
	while (!ready) // race A
		;
	got = data; // race B
	return unused;
}

static void *make_it(void *unused)
{
	data = 1;  // race B
	ready = 1; // race A
	return unused;
}

int main(void)
{
	together(wait_for_it, make_it);
	return got > 1;
}
