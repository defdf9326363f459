// flags: -pthread
// race A: sp

/* What a thread's destructor writes at its end comes before its join, and races with a thread that does not join. */
#include "../../races/threads.h"

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ended, count[2], value;

static void end(void *unused)
{
	(void)unused;
	ended = 1; // race A
	pthread_mutex_lock(&lock);
	count[0] = 1;
	pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
	pthread_setspecific(key, &value);
	return unused;
}

static void *watcher(void *unused)
{
	pthread_mutex_lock(&lock);
	count[1] = 1;
	pthread_mutex_unlock(&lock);
	ended = 2; // race A
	return unused;
}

int main(void)
{
	pthread_key_create(&key, end);
	together(worker, watcher);
	return ended + count[0] + count[1] > 4;
}
