// flags: -pthread
// race A: max

/*
 * Where the race is, each thread holds the lock that the other one wants next: the program then deadlocks. The race
 * is a race all the same.
 */
#include "../../races/threads.h"

static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER, data_lock = PTHREAD_MUTEX_INITIALIZER;
static int version, dirty, seen;

static void *update(void *unused)
{
	pthread_mutex_lock(&index_lock);
	version = 1;
	dirty = 1; // race A
	pthread_mutex_lock(&data_lock);
	pthread_mutex_unlock(&data_lock);
	pthread_mutex_unlock(&index_lock);
	return unused;
}

static void *flush(void *unused)
{
	pthread_mutex_lock(&index_lock);
	seen = version;
	pthread_mutex_unlock(&index_lock);
	pthread_mutex_lock(&data_lock);
	dirty = 0; // race A
	pthread_mutex_lock(&index_lock);
	pthread_mutex_unlock(&index_lock);
	pthread_mutex_unlock(&data_lock);
	return unused;
}

int main(void)
{
	together(update, flush);
	return dirty + seen > 2;
}
