// flags: -pthread

/* Many readers of one variable, each at another line; the writer races with every one of them. */
#include "threads.h"

static int value;

static void *one(void *unused)
{
	(void)unused;
	return (void *)(long)value; // race A
}

static void *two(void *unused)
{
	(void)unused;
	return (void *)(long)value; // race B
}

static void *three(void *unused)
{
	(void)unused;
	return (void *)(long)value; // race C
}

static void *four(void *unused)
{
	(void)unused;
	return (void *)(long)value; // race D
}

static void *writer(void *unused)
{
	value = 1; // race A B C D
	return unused;
}

int main(void)
{
	together(one, two, three, four, writer);
	return 0;
}
