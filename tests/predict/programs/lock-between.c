// flags: -pthread
// race A: sp
// race B: hb

/*
 * A cache with a lock around its table, and statistics outside. The two critical sections use different slots, and only
 * by chance they order what is counted.
 */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[16], last_key, stores, loads;

static void *put(void *unused)
{
	last_key = 3; // race A
	pthread_mutex_lock(&lock);
	table[3] = 30;
	pthread_mutex_unlock(&lock);
	stores = 1; // race B
	return unused;
}

static void *touch(void *unused)
{
	pthread_mutex_lock(&lock);
	table[5] = 50;
	pthread_mutex_unlock(&lock);
	last_key = 5; // race A
	loads = stores; // race B
	return unused;
}

int main(void)
{
	together(put, touch);
	return last_key + loads > 6;
}
