// flags: -pthread
// race A D: verdict=output-differs
// race B C: verdict=k-witness-harmless pattern=both-values-valid
// variant: -DWHOLE = nothing

/*
 * A hand-made lock with a hole, taken again and again.  A thread held inside makes the other one wait; but the word that it
 * waits for has a race that does harm, so the lock orders nothing.
 */
#include <stdio.h>

#include "../../races/threads.h"

static volatile int taken;
static int count;

static void lock(void)
{
#ifdef WHOLE
	while (__atomic_exchange_n(&taken, 1, __ATOMIC_SEQ_CST))
		;
#else
	while (taken) {} taken = 1; // race A B
#endif
}

static void unlock(void)
{
	taken = 0; // race B C
}

static void *add(void *unused)
{
	for (int i = 0; i < 6; i++) {
		lock();
		count++; // race D
		unlock();
	}
	return unused;
}

int main(void)
{
	together(add, add);
	printf("%d\n", count); // output A D
	return 0;
}
