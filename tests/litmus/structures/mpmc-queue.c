// allowed: done
// races: marked

/* Vyukov's bounded queue for many producers and many consumers: two of each, four cells. */
#include "../litmus.h"

#ifdef FIXED
#define memory_order_seeded memory_order_release
#else
#define memory_order_seeded memory_order_relaxed
#endif

enum { CELLS = 4 };

struct cell {
	atomic_int turn; /* ticket of the put that may fill it, or that + 1: of the take that may empty it */
	int value;
};

static struct cell cells[CELLS] = {{.turn = 0}, {.turn = 1}, {.turn = 2}, {.turn = 3}};
static atomic_int put_ticket, take_ticket;

static void put(int value)
{
	int ticket = FETCH_ADD(put_ticket, 1, relaxed);
	struct cell *cell = &cells[ticket % CELLS];

	while (LOAD(cell->turn, acquire) != ticket)
		sched_yield();
	cell->value = value;                   // race: A
	STORE(cell->turn, ticket + 1, seeded); // seeded: must be release
}

static int take(void)
{
	int ticket = FETCH_ADD(take_ticket, 1, relaxed);
	struct cell *cell = &cells[ticket % CELLS];
	int value;

	while (LOAD(cell->turn, acquire) != ticket + 1)
		sched_yield();
	value = cell->value; // race: A
	STORE(cell->turn, ticket + CELLS, release);
	return value;
}

THREAD(0)
{
	put(1);
	put(2);
}

THREAD(1) { put(3); }

THREAD(2)
{
	USE(take());
	USE(take());
}

THREAD(3) { USE(take()); }

MAIN("done")
