// allowed: 0 0
// allowed: 1 1
// allowed: 2 2
// forbidden: 0 1
// forbidden: 1 0
// forbidden: 1 2
// forbidden: 2 1
// races: none

/* The generic __atomic builtins on a structure: a load sees both halves of a store, or none. */
#include "litmus.h"

struct pair {
	_Alignas(8) int a;
	int b;
};

static struct pair pair;
static struct pair seen;

THREAD(0)
{
	struct pair ones = {1, 1};

	__atomic_store(&pair, &ones, __ATOMIC_RELAXED);
}

THREAD(1)
{
	struct pair twos = {2, 2}, old;

	__atomic_exchange(&pair, &twos, &old, __ATOMIC_RELAXED);
}

THREAD(2) { __atomic_load(&pair, &seen, __ATOMIC_RELAXED); }

MAIN("%d %d", seen.a, seen.b)
