// flags: -pthread
// race A: verdict=output-differs stream=kept

/* The race decides how much of a file is kept. */
#include <fcntl.h>
#include <unistd.h>

#include "../races/threads.h"

static int keep = 10;

static void *all_but_one(void *unused)
{
	keep = 9; // race A
	return unused;
}

static void *half(void *unused)
{
	keep = 5; // race A
	return unused;
}

int main(void)
{
	int fd = open("kept", O_CREAT | O_RDWR | O_TRUNC, 0666);

	if (fd < 0 || write(fd, "0123456789", 10) != 10)
		return 1;
	together(all_but_one, half);
	return ftruncate(fd, keep) != 0; // output A
}
