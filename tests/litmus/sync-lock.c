// allowed: count=2
// forbidden: count=1
// races: none

/* A lock of __sync_lock_test_and_set (acquire) and __sync_lock_release (release). */
#include "litmus.h"

static int lock, count;

static void work(void)
{
	while (__sync_lock_test_and_set(&lock, 1))
		sched_yield();
	count++;
	__sync_lock_release(&lock);
}

THREAD(0) { work(); }

THREAD(1) { work(); }

MAIN("count=%d", count)
