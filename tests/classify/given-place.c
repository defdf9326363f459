// flags: -pthread
// race A: verdict=output-differs stream=table

/* The race decides which record of a table is written: the same bytes, at another place. */
#include <fcntl.h>
#include <unistd.h>

#include "../races/threads.h"

static int record;

static void *first(void *unused)
{
	record = 1; // race A
	return unused;
}

static void *second(void *unused)
{
	record = 2; // race A
	return unused;
}

int main(void)
{
	int fd = open("table", O_CREAT | O_RDWR | O_TRUNC, 0666);

	if (fd < 0 || ftruncate(fd, 64))
		return 1;
	together(first, second);
	return pwrite(fd, "record..", 8, 8 * record) != 8; // output A
}
