// flags: -pthread

/* Two threads format into one buffer, a third reads it. */
#include <stdio.h>

#include "threads.h"

static char message[32];

static void *report(void *n)
{
	snprintf(message, sizeof message, "thread %d", (int)(long)n); // race A B
	return NULL;
}

static void *show(void *unused)
{
	(void)unused;
	return (void *)(long)message[0]; // race B
}

int main(void)
{
	together(report, report, show);
	return 0;
}
