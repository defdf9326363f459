// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// forbidden: r1=0 r2=0
// races: none

/* atomic_flag as a flag: cleared with release, taken with acquire. */
#include "litmus.h"

static int message;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int r1, r2;

THREAD(0)
{
	message = 1;
	atomic_flag_clear_explicit(&busy, memory_order_release);
}

THREAD(1)
{
	r1 = atomic_flag_test_and_set_explicit(&busy, memory_order_acquire);
	if (!r1)
		r2 = message;
}

int main(void)
{
	atomic_flag_test_and_set(&busy);
	run_threads();
	printf("r1=%d r2=%d\n", r1, r2);
	return 0;
}
