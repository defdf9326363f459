// flags: -pthread

/* A sleep orders nothing, however long it is. */
#include <sched.h>
#include <unistd.h>

#include "threads.h"

static int value;

static void *writer(void *unused)
{
	value = 1; // race A
	return unused;
}

static void *reader(void *unused)
{
	(void)unused;
	sleep(1);
	sched_yield();
	return (void *)(long)value; // race A
}

int main(void)
{
	together(writer, reader);
	return 0;
}
