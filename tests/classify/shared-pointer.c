// flags: -pthread
// race A: verdict=spec-violated consequence=crash violation=null-dereference
// race B: verdict=k-witness-harmless pattern=approximate-counter
// variant: -DFIX_A = nothing
// variant: -DFIX_B = crash

/* A pointer that may not be set yet, and a counter beside it. */
#include <stdio.h>

#include "../races/threads.h"

static int value = 5;
#ifdef FIX_A
static int *const pointer = &value;
#else
static int *pointer;
#endif
#ifdef FIX_B
static _Thread_local int calls;
#else
static int calls;
#endif
static volatile int taken;

static void *publish(void *unused)
{
	calls++; // race B
#ifndef FIX_A
	pointer = &value; // race A
#endif
	return unused;
}

static void *take(void *unused)
{
	calls++; // race B
	const int *p = pointer; // race A
	taken = *p; // violation A
	return unused;
}

int main(void)
{
	together(publish, take);
	puts("taken");
	return 0;
}
