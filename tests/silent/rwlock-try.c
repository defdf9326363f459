// flags: -pthread

/* The try and timed forms of rwlock. */
#define _GNU_SOURCE
#include <time.h>

#include "../races/threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static struct timespec in_a_second(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec++;
	return t;
}

static void *tries(void *unused)
{
	if (pthread_rwlock_trywrlock(&lock) == 0) {
		value++;
		pthread_rwlock_unlock(&lock);
	}
	if (pthread_rwlock_tryrdlock(&lock) == 0) {
		unused = value ? unused : NULL;
		pthread_rwlock_unlock(&lock);
	}
	return unused;
}

static void *waits(void *unused)
{
	struct timespec real = in_a_second(CLOCK_REALTIME), monotonic = in_a_second(CLOCK_MONOTONIC);

	if (pthread_rwlock_timedwrlock(&lock, &real) == 0) {
		value++;
		pthread_rwlock_unlock(&lock);
	}
	if (pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &monotonic) == 0) {
		unused = value ? unused : NULL;
		pthread_rwlock_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(tries, tries, waits, waits);
	return value < 1;
}
