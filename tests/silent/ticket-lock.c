// flags: -pthread

/* A ticket lock: a relaxed RMW takes the ticket, a release passes the turn on. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_uint ticket, turn;
static int counter;

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++) {
		unsigned mine = atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed);
		while (atomic_load_explicit(&turn, memory_order_acquire) != mine)
			sched_yield();
		counter++;
		atomic_store_explicit(&turn, mine + 1, memory_order_release);
	}
	return unused;
}

int main(void)
{
	together(count, count, count);
	return counter != 6;
}
