// flags: -pthread

/* An attempt to take a read lock that fails orders nothing. */
#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *unused)
{
	pthread_rwlock_wrlock(&lock);
	value = 1; // race A
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *tries(void *unused)
{
	if (pthread_rwlock_tryrdlock(&lock))
		return (void *)(long)value; // race A
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	together(writer, tries);
	return 0;
}
