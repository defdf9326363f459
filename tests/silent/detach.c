// flags: -pthread

/* Nobody joins a detached thread; an atomic says that it is done. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int done;
static int result;

static void *work(void *unused)
{
	result = 7;
	atomic_store_explicit(&done, 1, memory_order_release);
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_detach(thread);
	while (!atomic_load_explicit(&done, memory_order_acquire))
		sched_yield();
	return result != 7;
}
