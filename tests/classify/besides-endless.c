// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=infinite-loop runs=1
// variant: -DAPART = infinite-loop

/* A thread that tests too late never sees the door open: it is closed again. All accesses are atomic. */
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static atomic_int is_open;
#ifdef APART
static _Thread_local int guests;
#else
static int guests;
#endif

static void *keeper(void *unused)
{
	guests = 2; // race A
	atomic_store(&is_open, 1);
	sched_yield();
	atomic_store(&is_open, 0);
	return unused;
}

static void *guest(void *unused)
{
	guests = 2; // race A
	while (!atomic_load(&is_open)) // failure X
		;
	return unused;
}

int main(void)
{
	together(guest, keeper);
	puts("in");
	return 0;
}
