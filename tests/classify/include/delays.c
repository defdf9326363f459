/*
 * Linked by facts to programs built with -fsanitize-coverage=trace-loads,trace-stores: before an access a thread may be
 * held up for a while, at random, so that native executions go through many schedules. Where there is an invariant, it is
 * checked there too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern int facts_invariant(void) __attribute__((weak));

static __thread unsigned state;
static unsigned seed, threads;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FACTS_SEED");

	seed = text ? (unsigned)atoi(text) * 2654435761u : 1;
}

static unsigned choose(void)
{
	if (!state)
		state = seed + __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) * 40503u + 1;
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static void hold_up(void)
{
	unsigned choice = choose();

	if (facts_invariant && !facts_invariant()) {
		fputs("facts: invariant violated\n", stderr);
		_exit(99);
	}
	if (choice % 4 == 0)
		nanosleep(&(struct timespec){0, choice / 4 % 8 * 200000}, NULL);
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
