// allowed: put=01 taken=00
// allowed: put=01 taken=02
// allowed: put=01 taken=20
// allowed: put=10 taken=00
// allowed: put=10 taken=01
// allowed: put=10 taken=10
// allowed: put=11 taken=00
// allowed: put=11 taken=01
// allowed: put=11 taken=02
// allowed: put=11 taken=10
// allowed: put=11 taken=12
// allowed: put=11 taken=20
// allowed: put=11 taken=21
// races: none

/* Vyukov's bounded queue: a cell that is not this ticket's counts as full, or empty. */
#include "litmus.h"

struct cell {
	atomic_int turn; /* ticket of the put that may fill it, or that + 1: of the take that may empty it */
	int value;
};

static struct cell cells[2] = {{.turn = 0}, {.turn = 1}};
static atomic_int put_ticket, take_ticket;
static int r1, r2, r3, r4;

static int put(int value)
{
	int ticket = LOAD(put_ticket, relaxed);
	struct cell *cell;

	do {
		cell = &cells[ticket % 2];
		if (LOAD(cell->turn, acquire) != ticket)
			return 0;
	} while (!CAS(put_ticket, &ticket, ticket + 1, relaxed, relaxed));
	cell->value = value;
	STORE(cell->turn, ticket + 1, release);
	return 1;
}

static int take(void)
{
	int ticket = LOAD(take_ticket, relaxed), value;
	struct cell *cell;

	do {
		cell = &cells[ticket % 2];
		if (LOAD(cell->turn, acquire) != ticket + 1)
			return 0;
	} while (!CAS(take_ticket, &ticket, ticket + 1, relaxed, relaxed));
	value = cell->value;
	STORE(cell->turn, ticket + 2, release);
	return value;
}

THREAD(0) { r1 = put(1); }

THREAD(1) { r2 = put(2); }

THREAD(2)
{
	r3 = take();
	r4 = take();
}

MAIN("put=%d%d taken=%d%d", r1, r2, r3, r4)
