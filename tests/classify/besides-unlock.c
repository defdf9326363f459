// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=lock-misuse runs=2

/*
 * A door that is held open: a thread that finds it held releases it. Both threads can find it held, because the test and
 * the release are two steps.
 */
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static atomic_int held;
static int visits;

static void *visit(void *unused)
{
	visits++; // race A
	pthread_mutex_lock(&door);
	atomic_store(&held, 1);
	if (atomic_load(&held)) {
		pthread_mutex_unlock(&door); // failure X
		atomic_store(&held, 0);
	}
	return unused;
}

static void *close_door(void *unused)
{
	visits++; // race A
	if (atomic_load(&held))
		pthread_mutex_unlock(&door); // failure X
	return unused;
}

int main(void)
{
	together(visit, close_door);
	puts("closed");
	return 0;
}
