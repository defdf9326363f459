// allowed: done
// races: marked

/* volatile is no synchronisation: the flag itself races, and the message with it. */
#include "litmus.h"

static volatile int flag;
static int message;

THREAD(0)
{
	message = 1; // race: A
	flag = 1;    // race: B
}

THREAD(1)
{
	if (flag)             // race: B
		USE(message); // race: A
}

MAIN("done")
