// flags: -pthread
// race A B: verdict=output-differs

/* One thread moves a point while another reads it: the result is neither place. */
#include <stdio.h>

#include "../races/threads.h"

static struct {
	int x, y;
} point;

static void *move(void *unused)
{
	point.x = 3; // race A
	point.y = 4; // race B
	return unused;
}

static void *look(void *unused)
{
	int x = point.x; // race A

	printf("%d %d\n", x, point.y); // race B
	return unused;
}

int main(void)
{
	together(move, look);
	return 0;
}
