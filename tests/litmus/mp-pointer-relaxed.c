// allowed: seen=0
// allowed: seen=1
// races: marked

/* Following a pointer orders nothing by itself. */
#include "litmus.h"

struct box {
	int value;
};

static struct box box;
static _Atomic(struct box *) published;
static int seen;

THREAD(0)
{
	box.value = 1; // race: A
	STORE(published, &box, relaxed);
}

THREAD(1)
{
	struct box *p = LOAD(published, relaxed);

	seen = p != NULL;
	if (p)
		USE(p->value); // race: A
}

MAIN("seen=%d", seen)
