// expect: crash
// strategy: mixed random pct:3
// flags: -pthread
// at: worker

/* A worker calls a function pointer that main sets a moment after it has started the worker. */
#include <pthread.h>
#include <stddef.h>

static void (*callback)(void);
static int called;

static void handle(void)
{
	called++;
}

static void *worker(void *unused)
{
	callback();
	called++;
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, worker, NULL);
	callback = handle;
	pthread_join(thread, NULL);
	return called != 2;
}
