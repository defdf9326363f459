// allowed: r1=-1
// allowed: r1=1
// forbidden: r1=0
// races: none

/* A pointer that is published with release and followed with consume. */
#include "litmus.h"

struct box {
	int value;
};

static struct box box;
static _Atomic(struct box *) published;
static int r1;

THREAD(0)
{
	box.value = 1;
	STORE(published, &box, release);
}

THREAD(1)
{
	struct box *p = LOAD(published, consume);

	r1 = p ? p->value : -1;
}

MAIN("r1=%d", r1)
