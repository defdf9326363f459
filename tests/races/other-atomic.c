// flags: -pthread

/* A release of one atomic, an acquire of another one in the same word. */
#include <stdatomic.h>

#include "threads.h"

static struct {
	_Atomic short first, second;
} flag;
static int value;

static void *writer(void *unused)
{
	value = 1; // race A
	atomic_store(&flag.first, 1);
	return unused;
}

static void *reader(void *unused)
{
	(void)unused;
	int seen = atomic_load(&flag.second);
	seen += value; // race A
	return (void *)(long)seen;
}

int main(void)
{
	together(writer, reader);
	return 0;
}
