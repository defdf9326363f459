// expect: assertion
// at: first
// strategy: mixed pct:3
// flags: -pthread

/* Order violation of three threads: the second acts after a dozen operations of the third, the first even later. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int emptied, skipped;

static void *first(void *unused)
{
	assert(!atomic_load(&skipped)); /* HERE */
	return unused;
}

static void *second(void *unused)
{
	if (atomic_load(&emptied))
		atomic_store(&skipped, 1);
	return unused;
}

static void *third(void *unused)
{
	for (int i = 0; i < 6; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	atomic_store(&emptied, 1);
	return unused;
}

int main(void)
{
	together(first, second, third);
	return 0;
}
