// flags: -pthread

/* Message passing: the store releases, the load does not acquire. */
#include <stdatomic.h>

#include "threads.h"

static int data;
static atomic_int flag;

static void *send(void *unused)
{
	data = 1; // race A
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *receive(void *unused)
{
	for (int i = 0; i < 100; i++)
		if (atomic_load_explicit(&flag, memory_order_relaxed))
			return (void *)(long)data; // race A
	return unused;
}

int main(void)
{
	together(send, receive);
	return 0;
}
