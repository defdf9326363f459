// flags: -pthread

/* The raw futex call: wait, wake, bitsets, requeue, and its errors; a lock made of it. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

static _Atomic uint32_t word, first, second;
static atomic_int woken;
static int counter;

static long futex(_Atomic uint32_t *uaddr, int operation, uint32_t value, const void *timeout, _Atomic uint32_t *other,
                  uint32_t value3)
{
	return syscall(SYS_futex, uaddr, operation, value, timeout, other, value3);
}

/* Drepper's three-state lock: 0 free, 1 taken, 2 taken and a thread waits. */
static void lock(void)
{
	uint32_t c = 0;

	if (atomic_compare_exchange_strong(&word, &c, 1))
		return;
	if (c != 2)
		c = atomic_exchange(&word, 2);
	while (c != 0) {
		futex(&word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
		c = atomic_exchange(&word, 2);
	}
}

static void unlock(void)
{
	if (atomic_exchange(&word, 0) == 2)
		futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *counts(void *unused)
{
	for (int i = 0; i < 20; i++) {
		lock();
		counter++;
		unlock();
	}
	return unused;
}

static void *waits_on_first(void *unused)
{
	/* A wake before the wait changes the word, so none is lost. */
	while (first == 0)
		futex(&first, FUTEX_WAIT, 0, NULL, NULL, 0);
	woken++;
	return unused;
}

static void *waits_with_bit(void *bit)
{
	long r = futex(&second, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, (uint32_t)(long)bit);

	must(r == 0);
	woken++;
	return NULL;
}

static void start(pthread_t *thread, int n, void *(*body)(void *))
{
	for (long i = 0; i < n; i++)
		must(pthread_create(&thread[i], NULL, body, (void *)(1l << i)) == 0);
}

static void join(pthread_t *thread, int n)
{
	for (int i = 0; i < n; i++)
		must(pthread_join(thread[i], NULL) == 0);
}

int main(void)
{
	struct timespec moment = {0, 1000000};
	pthread_t thread[4];

	start(thread, 4, counts);
	join(thread, 4);
	must(counter == 80);

	must(futex(&first, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
	must(futex(&first, FUTEX_WAIT, 0, &moment, NULL, 0) == -1 && errno == ETIMEDOUT);
	must(futex(&first, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);

	start(thread, 4, waits_on_first);
	sched_yield();
	first = 1;
	futex(&first, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
	join(thread, 4);
	must(woken == 4);

	/* Each bit wakes its own waiter; only the kernel knows how many wait already, so ask until it has worked. */
	woken = 0;
	start(thread, 3, waits_with_bit);
	for (uint32_t bit = 1; bit <= 4; bit <<= 1)
		while (futex(&second, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, bit) == 0)
			sched_yield();
	join(thread, 3);
	must(woken == 3);

	/* All three are moved from `second` to `first` in steps, then woken there. */
	woken = 0;
	start(thread, 3, waits_with_bit);
	for (int moved = 0; moved < 3;) {
		long n = futex(&second, FUTEX_CMP_REQUEUE_PRIVATE, 0, (void *)3l, &first, 0);
		must(n >= 0);
		moved += (int)n;
		sched_yield();
	}
	must(futex(&second, FUTEX_CMP_REQUEUE_PRIVATE, 0, (void *)3l, &first, 5) == -1 && errno == EAGAIN);
	must(futex(&second, FUTEX_WAKE_PRIVATE, 3, NULL, NULL, 0) == 0);
	must(futex(&first, FUTEX_WAKE_PRIVATE, 3, NULL, NULL, 0) == 3);
	join(thread, 3);
	must(woken == 3);
	puts("ok");
	return 0;
}
