// flags: -pthread
// race A: sp

/* A spin lock with critical sections that share nothing. */
#include "../../races/threads.h"

static pthread_spinlock_t lock;
static int busy[2], depth;

static void *first(void *unused)
{
	depth = 1; // race A
	pthread_spin_lock(&lock);
	busy[0] = 1;
	pthread_spin_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_spin_lock(&lock);
	busy[1] = 1;
	pthread_spin_unlock(&lock);
	depth = 2; // race A
	return unused;
}

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	together(first, second);
	return busy[0] + busy[1] + depth > 4;
}
