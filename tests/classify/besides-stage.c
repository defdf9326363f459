// flags: -pthread
// options: --interleavings 0
// race A B: verdict=k-witness-harmless pattern=both-values-valid
// failure X: kind=crash
// variant: -DFIX_A = crash

/* The stage decides, and is atomic; nobody reads the note beside it. */
#include <stdatomic.h>
#include <stdlib.h>

#include "../races/threads.h"

static atomic_int stage;
#ifdef FIX_A
static _Thread_local int note;
#else
static int note;
#endif

static void *go(void *unused)
{
	note = 1; // race A
	stage = 1;
	note = 3; // race B
	stage = 2;
	return unused;
}

static void *look(void *unused)
{
	note = 2; // race A B
	if (stage == 1)
		abort(); // failure X
	return unused;
}

int main(void)
{
	together(go, look);
	return 0;
}
