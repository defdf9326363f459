// flags: -pthread

/* A struct is copied while one of its fields is set. */
#include "threads.h"

struct point {
	int x, y, z;
};

static struct point point, copy;

static void *snapshot(void *unused)
{
	copy = point; // race A
	return unused;
}

static void *move(void *unused)
{
	point.y = 3; // race A
	return unused;
}

int main(void)
{
	together(snapshot, move);
	return 0;
}
