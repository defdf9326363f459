/* A thread that starts late finds its data gone: another thread takes the data after OPERATIONS operations. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int beat, closed;

static void *late(void *unused)
{
	assert(!atomic_load(&closed));
	return unused;
}

static void operate(int i)
{
#ifdef LOCKED
	pthread_mutex_lock(&lock);
	atomic_store_explicit(&beat, i, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
#else
	(void)lock;
	atomic_store(&beat, i);
#endif
}

static void *closer(void *unused)
{
	for (int i = 0; i < OPERATIONS; i++)
		operate(i);
	atomic_store(&closed, 1);
	return unused;
}

int main(void)
{
	together(late, closer);
	return 0;
}
