// outcomes: exit 0 | exit 1
// races: 1
// Neither update changes the value, so their order makes no difference to memory.  But the order decides whether the
// read of `data` comes after its write: the flag orders nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int token, flag;

static void *reader(void *arg)
{
	int *seen = arg;

	atomic_fetch_add_explicit(&token, 0, memory_order_acq_rel);
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		*seen = data;
	return arg;
}

int main(void)
{
	pthread_t t;
	int seen = 0;

	pthread_create(&t, NULL, reader, &seen);
	data = 1;
	atomic_fetch_add_explicit(&token, 0, memory_order_acq_rel);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	pthread_join(t, NULL);
	printf("%d\n", seen);
	return 0;
}
