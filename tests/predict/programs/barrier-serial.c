// flags: -pthread
// race A: sp
// race B: may

/*
 * One thread that leaves a barrier is its serial thread: the one that came last. The others do not write the sum. This
 * execution does not show that another thread could have been the serial one (B).
 */
#include "../../races/threads.h"

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, parts[3];

static void *printer(void *unused)
{
	sum = 1; // race A B
	pthread_mutex_lock(&lock);
	parts[0] = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *early(void *unused)
{
	parts[1] = 1;
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		sum = parts[1] + parts[2]; // race B
	return unused;
}

static void *late(void *unused)
{
	pthread_mutex_lock(&lock);
	parts[2] = 1;
	pthread_mutex_unlock(&lock);
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		sum = parts[1] + parts[2]; // race A
	return unused;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(printer, early, late);
	return sum > 2;
}
