// flags: -pthread

/* A lock of an atomic word and the raw futex call. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../races/threads.h"

static _Atomic uint32_t word;
static int counter;

static void *count(void *unused)
{
	for (int i = 0; i < 3; i++) {
		while (atomic_exchange_explicit(&word, 1, memory_order_acquire))
			syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
		counter++;
		atomic_store_explicit(&word, 0, memory_order_release);
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	return unused;
}

int main(void)
{
	together(count, count, count);
	return counter != 9;
}
