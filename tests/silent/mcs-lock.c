// flags: -pthread

/* An MCS lock: each thread waits on a node on its own stack, which its predecessor writes. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "../races/threads.h"

struct waiter {
	struct waiter *_Atomic next;
	atomic_bool waits;
};

static struct waiter *_Atomic tail;
static int counter;

static void lock(struct waiter *me)
{
	struct waiter *before;

	atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&me->waits, true, memory_order_relaxed);
	before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
	if (!before)
		return;
	atomic_store_explicit(&before->next, me, memory_order_release);
	while (atomic_load_explicit(&me->waits, memory_order_acquire))
		sched_yield();
}

static void unlock(struct waiter *me)
{
	struct waiter *next = atomic_load_explicit(&me->next, memory_order_acquire), *expected = me;

	if (!next) {
		if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,
		                                            memory_order_relaxed))
			return;
		while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
			sched_yield();
	}
	atomic_store_explicit(&next->waits, false, memory_order_release);
}

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++) {
		struct waiter me;
		lock(&me);
		counter++;
		unlock(&me);
	}
	return unused;
}

int main(void)
{
	together(count, count, count);
	return counter != 6;
}
