// flags: -pthread

/* A seqlock as C11 wants it: the data is atomic and relaxed, fences order it with the sequence. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_uint sequence;
static atomic_int low, high;

static void *write_both(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
		atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
		atomic_thread_fence(memory_order_release);
		atomic_store_explicit(&low, i, memory_order_relaxed);
		atomic_store_explicit(&high, i, memory_order_relaxed);
		atomic_store_explicit(&sequence, s + 2, memory_order_release);
	}
	return unused;
}

static void *read_both(void *torn)
{
	unsigned before, after;
	int l, h;

	do {
		before = atomic_load_explicit(&sequence, memory_order_acquire);
		l = atomic_load_explicit(&low, memory_order_relaxed);
		h = atomic_load_explicit(&high, memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
		after = atomic_load_explicit(&sequence, memory_order_relaxed);
		if (before != after)
			sched_yield();
	} while (before & 1 || before != after);
	return l == h ? NULL : torn;
}

int main(void)
{
	together(write_both, read_both, read_both);
	return 0;
}
