/*
 * Linked by facts to programs built with -fsanitize-coverage=trace-loads,trace-stores: each thread is held up for a
 * long while before one of its accesses, chosen at random, so that native executions go through many schedules. Where there
 * is an invariant, it is checked there too.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern int facts_invariant(void) __attribute__((weak));

static __thread unsigned left;
static __thread bool chosen;
static unsigned seed, threads;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FACTS_SEED");

	seed = text ? (unsigned)atoi(text) * 2654435761u : 1;
}

/* How many accesses a new thread makes before it is held up: few, mostly. */
static unsigned choose(void)
{
	unsigned x = seed + __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) * 40503u;

	for (int i = 0; i < 4; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	return 1 + x / 4 % (4u << 2 * (x % 4));
}

static void hold_up(void)
{
	if (facts_invariant && !facts_invariant()) {
		fputs("facts: invariant violated\n", stderr);
		_exit(99);
	}
	if (!chosen) {
		left = choose();
		chosen = true;
	}
	if (left && --left == 0)
		nanosleep(&(struct timespec){0, 10000000}, NULL);
}

#define DELAY(kind, size)                                                                                              \
	void __sanitizer_cov_##kind##size(void *address);                                                              \
	void __sanitizer_cov_##kind##size(void *address)                                                               \
	{                                                                                                              \
		(void)address;                                                                                         \
		hold_up();                                                                                             \
	}

DELAY(load, 1)
DELAY(load, 2)
DELAY(load, 4)
DELAY(load, 8)
DELAY(load, 16)
DELAY(store, 1)
DELAY(store, 2)
DELAY(store, 4)
DELAY(store, 8)
DELAY(store, 16)
