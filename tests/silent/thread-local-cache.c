// flags: -pthread

/* The thread-local memory of an ended detached thread serves another one, and only the C library orders the two. */
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "../races/threads.h"

static _Thread_local int mine[16];
static atomic_int done;

static void count(int *p)
{
	for (int i = 0; i < 16; i++)
		p[i]++;
}

static void *work(void *unused)
{
	count(mine);
	atomic_fetch_add_explicit(&done, mine[3], memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t thread;

	for (int i = 1; i <= 3; i++) {
		pthread_create(&thread, NULL, work, NULL);
		pthread_detach(thread);
		while (atomic_load_explicit(&done, memory_order_relaxed) < i)
			sched_yield();
		usleep(1000);
	}
	return done != 3;
}
