// flags: -pthread

/* pthread_spin_trylock that fails is ordered with nothing. */
#include "threads.h"

static pthread_spinlock_t lock;
static int value;

static void *holder(void *unused)
{
	pthread_spin_lock(&lock);
	value = 1; // race A
	pthread_spin_unlock(&lock);
	return unused;
}

static void *tries(void *unused)
{
	if (pthread_spin_trylock(&lock))
		return (void *)(long)value; // race A
	pthread_spin_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	together(holder, tries);
	return 0;
}
