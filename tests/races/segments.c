// flags: -pthread

/*
 * A thread writes, releases something, reads, releases again, writes. The other thread always comes last, but is ordered
 * after none of this; all three accesses race with its access, not only the last.
 */
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "threads.h"

static sem_t other;
static atomic_int over;
static int value;

static void *first(void *unused)
{
	value = 1; // race A
	sem_post(&other);
	if (value != 1) // race B
		return NULL;
	sem_post(&other);
	value = 2; // race C
	atomic_store_explicit(&over, 1, memory_order_relaxed);
	return unused;
}

static void *last(void *unused)
{
	while (!atomic_load_explicit(&over, memory_order_relaxed))
		sched_yield();
	value = 3; // race A B C
	return unused;
}

int main(void)
{
	sem_init(&other, 0, 0);
	together(first, last);
	return 0;
}
