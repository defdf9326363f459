// allowed: r1=0 r2=1 value=2 version=1
// allowed: r1=1 r2=0 value=1 version=1
// forbidden: r1=1 r2=1 value=1 version=1
// forbidden: r1=1 r2=1 value=2 version=1
// races: none
// std-flag: -mcx16

/* Pointer and counter in 128 bits: compare-and-swap sees both change. */
#include "litmus.h"

struct pair {
	long value, version;
};

static _Atomic struct pair pair;
static int r1, r2;

static int change(long value)
{
	struct pair old = {0, 0};

	return atomic_compare_exchange_strong(&pair, &old, ((struct pair){value, 1}));
}

THREAD(0) { r1 = change(1); }

THREAD(1) { r2 = change(2); }

int main(void)
{
	struct pair end;

	run_threads();
	end = atomic_load(&pair);
	printf("r1=%d r2=%d value=%ld version=%ld\n", r1, r2, end.value, end.version);
	return 0;
}
