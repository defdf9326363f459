/*
 * facts links this to programs built with -fsanitize-coverage=trace-loads,trace-stores, so that native executions go
 * through many schedules: with an even seed, each thread is delayed for long before one of its accesses; with an odd
 * one, for short times before many of them. If there is an invariant, it is checked at every access.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern int facts_invariant(void) __attribute__((weak));

static unsigned seed, threads;
static __thread unsigned state, left;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FACTS_SEED");

	seed = text ? (unsigned)atoi(text) : 1;
}

static unsigned choose(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

/* A new thread: its random choices, and how many accesses it makes before its long delay: usually few. */
static void begin_thread(void)
{
	unsigned number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);

	state = (seed * 2654435761u + number * 40503u) | 1;
	for (int i = 0; i < 4; i++)
		choose();
	left = 1 + choose() / 4 % (4u << 2 * (choose() % 4));
}

static void wait(unsigned microseconds) { nanosleep(&(struct timespec){0, microseconds * 1000}, NULL); }

static void hold_up(void)
{
	if (facts_invariant && !facts_invariant()) {
		fputs("facts: invariant violated\n", stderr);
		_exit(99);
	}
	if (!state)
		begin_thread();
	if (seed % 2 == 0 && left && --left == 0)
		wait(10000);
	if (seed % 2 == 1 && choose() % 4 == 0)
		wait(choose() / 4 % 8 * 200);
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
