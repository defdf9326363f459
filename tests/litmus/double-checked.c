// allowed: r1=42 r2=42
// forbidden: r1=0 r2=42
// forbidden: r1=42 r2=0
// races: none

/* Double-checked locking: the first check acquires. */
#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value, r1, r2;

static int get(void)
{
	if (!LOAD(ready, acquire)) {
		pthread_mutex_lock(&mutex);
		if (!LOAD(ready, relaxed)) {
			value = 42;
			STORE(ready, 1, release);
		}
		pthread_mutex_unlock(&mutex);
	}
	return value;
}

THREAD(0) { r1 = get(); }

THREAD(1) { r2 = get(); }

MAIN("r1=%d r2=%d", r1, r2)
