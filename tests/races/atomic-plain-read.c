// flags: -pthread

/* A plain read races with atomic writes, but not with atomic reads. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int level;

static void *set(void *unused)
{
	atomic_store(&level, 3); // race A
	return unused;
}

static void *peek(void *unused)
{
	(void)unused;
	return (void *)(long)*(int *)&level; // race A
}

static void *get(void *unused)
{
	(void)unused;
	return (void *)(long)atomic_load(&level);
}

int main(void)
{
	together(set, peek, get);
	return 0;
}
