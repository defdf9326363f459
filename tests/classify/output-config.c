// flags: -pthread
// race A: verdict=output-differs

/* A request is answered with the old limit or with the new one. */
#include <stdio.h>

#include "../races/threads.h"

static int limit = 10;

static void *reload(void *unused)
{
	limit = 20; // race A
	return unused;
}

static void *answer(void *unused)
{
	printf("limit %d\n", limit); // race A
	return unused;
}

int main(void)
{
	together(answer, reload);
	return 0;
}
