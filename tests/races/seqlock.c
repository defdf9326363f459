// flags: -pthread

/* A seqlock over plain data: the reader discards a torn value, but it has read it. */
#include <stdatomic.h>

#include "threads.h"

static atomic_uint sequence;
static int low, high;

static void *write_both(void *unused)
{
	atomic_fetch_add(&sequence, 1);
	low = 1; // race A
	high = 1; // race B
	atomic_fetch_add(&sequence, 1);
	return unused;
}

static void *read_both(void *unused)
{
	for (int i = 0; i < 3; i++) {
		unsigned before = atomic_load(&sequence);
		int l = low; // race A
		int h = high; // race B
		if (!(before & 1) && atomic_load(&sequence) == before)
			return l == h ? unused : NULL;
	}
	return unused;
}

int main(void)
{
	together(write_both, read_both);
	return 0;
}
