// flags: -pthread

/* Spin locks, with and without try. */
#include <sched.h>

#include "../races/threads.h"

static pthread_spinlock_t lock;
static int counter;

static void *count(void *number)
{
	if (number)
		pthread_spin_lock(&lock);
	else
		while (pthread_spin_trylock(&lock))
			sched_yield();
	counter++;
	pthread_spin_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	together(count, count, count);
	pthread_spin_destroy(&lock);
	return counter != 3;
}
