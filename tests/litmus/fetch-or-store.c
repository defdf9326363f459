// allowed: r1=0 flags=2
// allowed: r1=0 flags=3
// allowed: r1=1 flags=2
// allowed: r1=1 flags=3
// allowed: r1=2 flags=2
// allowed: r1=2 flags=3
// allowed: r1=3 flags=3
// races: marked

/* Setting the other flag with load and store instead loses flags, and the release. */
#include "litmus.h"

static int message;
static atomic_uint flags;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	atomic_fetch_or_explicit(&flags, 1, memory_order_release);
}

THREAD(1) { STORE(flags, LOAD(flags, relaxed) | 2, relaxed); }

THREAD(2)
{
	r1 = LOAD(flags, acquire);
	if (r1 & 1)
		USE(message); // race: A
}

MAIN("r1=%d flags=%u", r1, flags)
