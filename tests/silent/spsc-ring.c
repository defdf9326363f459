// flags: -pthread

/* A ring for one producer and one consumer. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

#define ROOM  2
#define ITEMS 5

static int ring[ROOM], sum;
static atomic_uint head, tail;

static void *produce(void *unused)
{
	for (unsigned t = 0; t < ITEMS; t++) {
		while (t - atomic_load_explicit(&head, memory_order_acquire) == ROOM)
			sched_yield();
		ring[t % ROOM] = (int)t;
		atomic_store_explicit(&tail, t + 1, memory_order_release);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (unsigned h = 0; h < ITEMS; h++) {
		while (atomic_load_explicit(&tail, memory_order_acquire) == h)
			sched_yield();
		sum += ring[h % ROOM];
		atomic_store_explicit(&head, h + 1, memory_order_release);
	}
	return unused;
}

int main(void)
{
	together(produce, consume);
	return sum != 10;
}
