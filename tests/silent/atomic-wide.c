// flags: -pthread -latomic

/* Atomics that the processor has no instruction for: the library's own functions, and locks behind them. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

struct wide {
	long a, b, c;
};

static _Atomic struct wide wide;
static int value;

static void *send(void *unused)
{
	value = 1;
	atomic_store(&wide, ((struct wide){1, 2, 3}));
	return unused;
}

static void *receive(void *unused)
{
	struct wide w;

	while ((w = atomic_load(&wide)).a == 0)
		sched_yield();
	return value + w.c == 4 ? unused : NULL;
}

int main(void)
{
	together(send, receive);
	return 0;
}
