// expect: deadlock
// at: waiter
// strategy: mixed random pct:3
// flags: -pthread

/* Lost wakeup: the waiter tests the flag before it takes the lock, and the whole other thread fits between the two. */
#include <pthread.h>
#include <stdatomic.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready, rounds;

static void *setter(void *unused)
{
	for (int i = 0; i < 8; i++)
		atomic_fetch_add(&rounds, 1);
	atomic_store(&ready, 1);
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *waiter(void *unused)
{
	if (!atomic_load(&ready)) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&changed, &lock); /* HERE */
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(setter, waiter);
	return 0;
}
