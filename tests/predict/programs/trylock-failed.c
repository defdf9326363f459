// flags: -pthread
// race A: never

/*
 * A trylock that fails is no synchronisation. But it has seen that another thread holds the lock, so what that one wrote
 * before has happened.
 */
#include <unistd.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owner, waits_for;

static void *work(void *unused)
{
	owner = 1; // race A
	pthread_mutex_lock(&lock);
	usleep(1000);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *look(void *unused)
{
	usleep(500);
	if (pthread_mutex_trylock(&lock) == 0)
		pthread_mutex_unlock(&lock);
	else
		waits_for = owner; // race A
	return unused;
}

int main(void)
{
	together(work, look);
	return waits_for > 1;
}
