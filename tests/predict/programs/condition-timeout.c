// flags: -pthread
// race A: max unconfirmed, unexplored: a sleep ends only when nobody can run

/* A wait that times out. A notification before the wait would not have changed that. */
#include <errno.h>
#include <time.h>
#include <unistd.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state;

static void *waiter(void *unused)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += 1000000;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	if (pthread_cond_timedwait(&changed, &lock, &end) == ETIMEDOUT)
		state = 1; // race A
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *changer(void *unused)
{
	usleep(5000);
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	state = 2; // race A
	return unused;
}

int main(void)
{
	together(waiter, changer);
	return state > 2;
}
