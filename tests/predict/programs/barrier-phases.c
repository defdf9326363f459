// flags: -pthread
// race A: hb
// race B: sp

/*
 * Two phases with a barrier between. A write in the first and a read in the second are ordered. A and B are in one phase,
 * in which the thread that came last to the barrier continues first.
 */
#include "../../races/threads.h"

static pthread_barrier_t phase;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cells[2], sums[2], norm, best, ready[2];

static void *left(void *unused)
{
	cells[0] = 1;
	pthread_barrier_wait(&phase);
	sums[0] = cells[1];
	pthread_mutex_lock(&lock);
	ready[0] = 1;
	pthread_mutex_unlock(&lock);
	best = 1; // race B
	norm = 1; // race A
	return unused;
}

static void *right(void *unused)
{
	cells[1] = 2;
	pthread_barrier_wait(&phase);
	sums[1] = cells[0];
	best = 2; // race B
	pthread_mutex_lock(&lock);
	ready[1] = 1;
	pthread_mutex_unlock(&lock);
	norm = 2; // race A
	return unused;
}

int main(void)
{
	pthread_barrier_init(&phase, NULL, 2);
	together(left, right);
	return norm + best + sums[0] + sums[1] > 7;
}
