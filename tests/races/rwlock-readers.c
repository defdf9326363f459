// flags: -pthread

/* Readers are not ordered with each other; the writer is ordered with both. */
#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int shared, cached;

static void *fill_cache(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	cached = shared; // race A
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *use_cache(void *unused)
{
	(void)unused;
	pthread_rwlock_rdlock(&lock);
	int seen = cached; // race A
	pthread_rwlock_unlock(&lock);
	return (void *)(long)seen;
}

static void *writer(void *unused)
{
	pthread_rwlock_wrlock(&lock);
	shared++;
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	together(fill_cache, use_cache, writer);
	return 0;
}
