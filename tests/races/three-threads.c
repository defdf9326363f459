// flags: -pthread

/* A write, then another thread's write that is ordered after it, then a third thread's read that is ordered after neither. */
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "threads.h"

static sem_t handed;
static atomic_int over;
static int value;

static void *first(void *unused)
{
	value = 1; // race A
	sem_post(&handed);
	return unused;
}

static void *second(void *unused)
{
	sem_wait(&handed);
	value = 2; // race B
	atomic_store_explicit(&over, 1, memory_order_relaxed);
	return unused;
}

static void *third(void *unused)
{
	(void)unused;
	while (!atomic_load_explicit(&over, memory_order_relaxed))
		sched_yield();
	return (void *)(long)value; // race A B
}

int main(void)
{
	sem_init(&handed, 0, 0);
	together(first, second, third);
	return 0;
}
