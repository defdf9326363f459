// flags: -pthread

/* Locks made of atomic_flag and of a byte. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_uchar byte;
static int by_flag, by_byte;

static void *count(void *unused)
{
	while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
		sched_yield();
	by_flag++;
	atomic_flag_clear_explicit(&flag, memory_order_release);

	for (unsigned char free = 0; !atomic_compare_exchange_weak_explicit(&byte, &free, 1, memory_order_acquire,
	                                                                   memory_order_relaxed);
	     free = 0)
		sched_yield();
	by_byte++;
	atomic_store_explicit(&byte, 0, memory_order_release);
	return unused;
}

int main(void)
{
	together(count, count, count);
	return by_flag + by_byte != 6;
}
