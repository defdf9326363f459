// flags: -pthread
// race: none

/*
 * A variable, under a lock of its own, says which lock protects x. The two threads had different locks, but the second one
 * had the newer lock only because it came after the first.
 */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t old = PTHREAD_MUTEX_INITIALIZER, new = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *current = &old;
static int x;

static void *move(void *unused)
{
	pthread_mutex_lock(&old);
	x = 1;
	pthread_mutex_unlock(&old);
	pthread_mutex_lock(&lock);
	current = &new;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *use(void *unused)
{
	pthread_mutex_t *mine;

	pthread_mutex_lock(&lock);
	mine = current;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(mine);
	x = 2;
	pthread_mutex_unlock(mine);
	return unused;
}

int main(void)
{
	together(move, use);
	return x > 2;
}
