// flags: -pthread
// expect: crash
/* A detached thread still runs after the exit handlers have run. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int gone;

static void leave(void) { gone = 1; }

static void *work(void *unused)
{
	if (gone)
		abort();
	return unused;
}

int main(void)
{
	pthread_t thread;

	atexit(leave);
	pthread_create(&thread, NULL, work, NULL);
	pthread_detach(thread);
	return 0;
}
