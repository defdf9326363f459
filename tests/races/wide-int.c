// flags: -pthread

/* A write of a number of sixteen bytes, and a read of its upper half. */
#include "threads.h"

static union {
	__int128 all;
	long half[2];
} number;

static void *write_all(void *unused)
{
	number.all = (__int128)1 << 100; // race A
	return unused;
}

static void *read_upper(void *unused)
{
	(void)unused;
	return (void *)number.half[1]; // race A
}

int main(void)
{
	together(write_all, read_upper);
	return 0;
}
