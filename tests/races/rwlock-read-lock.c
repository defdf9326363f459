// flags: -pthread

/* A write under the read lock, which other threads hold at the same time. */
#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int lookups;

static void *look_up(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	lookups++; // race A
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	together(look_up, look_up);
	return 0;
}
