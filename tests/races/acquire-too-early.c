// flags: -pthread

/* An acquire load that sees the value from before the release is not ordered after it. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int flag;
static int value, other;

static void *writer(void *unused)
{
	value = 1; // race A
	other = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *reader(void *unused)
{
	(void)unused;
	if (atomic_load_explicit(&flag, memory_order_acquire))
		return (void *)(long)other;
	return (void *)(long)value; // race A
}

int main(void)
{
	together(writer, reader);
	return 0;
}
