// flags: -pthread

/* A thread gets the stack of one that another thread has joined: only the C library orders the two. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static pthread_t first;
static atomic_int joined;

static void fill(int *frame, int n)
{
	for (int i = 0; i < 32; i++)
		frame[i] = n;
}

static void *work(void *n)
{
	int frame[32];

	fill(frame, (int)(long)n);
	return (void *)(long)frame[5];
}

static void *join_it(void *unused)
{
	pthread_join(first, NULL);
	atomic_store_explicit(&joined, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t joiner, second;

	pthread_create(&first, NULL, work, NULL);
	pthread_create(&joiner, NULL, join_it, NULL);
	while (!atomic_load_explicit(&joined, memory_order_relaxed))
		sched_yield();
	pthread_create(&second, NULL, work, NULL);
	pthread_join(second, NULL);
	pthread_join(joiner, NULL);
	return 0;
}
