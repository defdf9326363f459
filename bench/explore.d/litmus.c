/*
 * Store buffering with C11 atomics: each thread stores to one location and loads the other, relaxed.  Nothing is
 * printed; the program is only as long as two threads need to be, so a run costs what an execution costs.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int seen_y, seen_x;

static void *left(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	seen_y = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *right(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	seen_x = atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t l, r;

	if (pthread_create(&l, NULL, left, NULL) || pthread_create(&r, NULL, right, NULL))
		return 1;
	pthread_join(l, NULL);
	pthread_join(r, NULL);
	return 0;
}
