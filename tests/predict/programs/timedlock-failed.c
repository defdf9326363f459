// flags: -pthread
// race A: never

/* A timedlock that times out: another thread held the lock all the time, and what it did before has happened. */
#include <time.h>
#include <unistd.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owner, waits_for;

static void *work(void *unused)
{
	owner = 1; // race A
	pthread_mutex_lock(&lock);
	usleep(9000);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *look(void *unused)
{
	struct timespec end;

	usleep(1000);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += 1000;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	if (pthread_mutex_timedlock(&lock, &end) == 0)
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
