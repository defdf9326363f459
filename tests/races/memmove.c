// flags: -pthread

/* Elements are moved up while another thread looks at one of them. */
#include <string.h>

#include "threads.h"

static int list[8];
static volatile int used = 6;

static void *insert(void *unused)
{
	memmove(&list[1], &list[0], used * sizeof list[0]); // race A
	return unused;
}

static void *look(void *unused)
{
	(void)unused;
	return (void *)(long)list[6]; // race A
}

static void *look_past_the_end(void *unused)
{
	(void)unused;
	return (void *)(long)list[7];
}

int main(void)
{
	together(insert, look, look_past_the_end);
	return 0;
}
