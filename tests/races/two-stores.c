// flags: -pthread

/* Two stores to one atomic, both seq_cst: neither reads the other, so neither is ordered after it. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int flag;
static int value;

static void *writer(void *unused)
{
	value = 1; // race A
	atomic_store(&flag, 1);
	return unused;
}

static void *reader(void *unused)
{
	(void)unused;
	atomic_store(&flag, 2);
	return (void *)(long)value; // race A
}

int main(void)
{
	together(writer, reader);
	return 0;
}
