// allowed: done
// races: marked

/* Double-checked locking: the first check does not acquire. */
#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value;

static void get(void)
{
	if (!LOAD(ready, relaxed)) {
		pthread_mutex_lock(&mutex);
		if (!LOAD(ready, relaxed)) {
			value = 42; // race: A
			STORE(ready, 1, release);
		}
		pthread_mutex_unlock(&mutex);
	}
	USE(value); // race: A
}

THREAD(0) { get(); }

THREAD(1) { get(); }

MAIN("done")
