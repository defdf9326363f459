// flags: -pthread

/* Two seq_cst fences with no atomic access between them order no plain accesses. */
#include <stdatomic.h>

#include "threads.h"

static int value;

static void *writer(void *unused)
{
	value = 1; // race A
	atomic_thread_fence(memory_order_seq_cst);
	return unused;
}

static void *reader(void *unused)
{
	(void)unused;
	atomic_thread_fence(memory_order_seq_cst);
	return (void *)(long)value; // race A
}

int main(void)
{
	together(writer, reader);
	return 0;
}
