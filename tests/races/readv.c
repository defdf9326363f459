// flags: -pthread

/* readv scatters what arrived: the first part is full, in the second only the first byte is written. */
#include <sys/uio.h>
#include <unistd.h>

#include "threads.h"

static int ends[2];
static char head[4], body_part[8];

static void *fill(void *unused)
{
	struct iovec parts[] = {{head, sizeof head}, {body_part, sizeof body_part}};

	return readv(ends[0], parts, 2) == 5 ? unused : NULL; // race A B
}

static void *look_at_head(void *unused)
{
	(void)unused;
	return (void *)(long)head[3]; // race A
}

static void *look_at_body(void *unused)
{
	(void)unused;
	return (void *)(long)body_part[0]; // race B
}

static void *look_behind(void *unused)
{
	(void)unused;
	return (void *)(long)body_part[1];
}

int main(void)
{
	if (pipe(ends) || write(ends[1], "hello", 5) != 5)
		return 1;
	together(fill, look_at_head, look_at_body, look_behind);
	return 0;
}
