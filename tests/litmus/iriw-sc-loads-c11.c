// allowed: r1=0 r2=0 r3=0 r4=0
// allowed: r1=0 r2=0 r3=0 r4=1
// allowed: r1=0 r2=0 r3=1 r4=0
// allowed: r1=0 r2=0 r3=1 r4=1
// allowed: r1=0 r2=1 r3=0 r4=0
// allowed: r1=0 r2=1 r3=0 r4=1
// allowed: r1=0 r2=1 r3=1 r4=0
// allowed: r1=0 r2=1 r3=1 r4=1
// allowed: r1=1 r2=0 r3=0 r4=0
// allowed: r1=1 r2=0 r3=0 r4=1
// allowed: r1=1 r2=0 r3=1 r4=0
// allowed: r1=1 r2=0 r3=1 r4=1
// allowed: r1=1 r2=1 r3=0 r4=0
// allowed: r1=1 r2=1 r3=0 r4=1
// allowed: r1=1 r2=1 r3=1 r4=0
// allowed: r1=1 r2=1 r3=1 r4=1
// races: none
// std: c11

/* Loads in S, stores not: C11 lets the readers disagree, because p3 covers stores in S only. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2, r3, r4;

THREAD(0) { STORE(x, 1, release); }

THREAD(1) { STORE(y, 1, release); }

THREAD(2)
{
	r1 = LOAD(x, seq_cst);
	r2 = LOAD(y, seq_cst);
}

THREAD(3)
{
	r3 = LOAD(y, seq_cst);
	r4 = LOAD(x, seq_cst);
}

MAIN("r1=%d r2=%d r3=%d r4=%d", r1, r2, r3, r4)
