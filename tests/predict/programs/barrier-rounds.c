// flags: -pthread
// race: none

/* A relaxation over three rounds: every value is read in another round than it is written in. */
#include "../../races/threads.h"

enum { CELLS = 3, ROUNDS = 3 };

static pthread_barrier_t round_end;
static int cells[2][CELLS];

static void *relax(void *number)
{
	long i = (long)number;

	for (int r = 0; r < ROUNDS; r++) {
		cells[(r + 1) % 2][i] = cells[r % 2][i] + cells[r % 2][(i + 1) % CELLS] + 1;
		pthread_barrier_wait(&round_end);
	}
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&round_end, NULL, CELLS);
	together(relax, relax, relax);
	return cells[ROUNDS % 2][0] > 100;
}
