// allowed: taken=0
// allowed: taken=1
// races: marked

/* Vyukov's bounded queue with a put that does not release. */
#include "litmus.h"

struct cell {
	atomic_int turn; /* ticket of the put that may fill it, or that + 1: of the take that may empty it */
	int value;
};

static struct cell cells[2] = {{.turn = 0}, {.turn = 1}};
static atomic_int put_ticket, take_ticket;
static int r1;

static int put(int value)
{
	int ticket = LOAD(put_ticket, relaxed);
	struct cell *cell;

	do {
		cell = &cells[ticket % 2];
		if (LOAD(cell->turn, acquire) != ticket)
			return 0;
	} while (!CAS(put_ticket, &ticket, ticket + 1, relaxed, relaxed));
	cell->value = value; // race: A
	STORE(cell->turn, ticket + 1, relaxed);
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
	value = cell->value; // race: A
	STORE(cell->turn, ticket + 2, release);
	return value;
}

THREAD(0) { put(1); }

THREAD(1) { r1 = take() != 0; }

MAIN("taken=%d", r1)
