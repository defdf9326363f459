// allowed: done
// races: marked

/* Two fences and no atomic access between them do not synchronise. */
#include "litmus.h"

static int message;

THREAD(0)
{
	message = 1; // race: A
	FENCE(seq_cst);
}

THREAD(1)
{
	FENCE(seq_cst);
	USE(message); // race: A
}

MAIN("done")
