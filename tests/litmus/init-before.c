// allowed: r1=5 r2=5
// allowed: r1=5 r2=6
// forbidden: r1=0 r2=5
// forbidden: r1=5 r2=0
// races: none

/* atomic_init before the threads exist. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0)
{
	r1 = LOAD(x, relaxed);
	STORE(x, 6, relaxed);
}

THREAD(1) { r2 = LOAD(x, relaxed); }

int main(void)
{
	atomic_init(&x, 5);
	run_threads();
	printf("r1=%d r2=%d\n", r1, r2);
	return 0;
}
