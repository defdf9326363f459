// flags: -pthread
// race A: verdict=output-differs stream=result

/* The last thread decides where the result goes. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static const char *place = "result";

static void *here(void *unused)
{
	place = "result.here"; // race A
	return unused;
}

static void *there(void *unused)
{
	place = "result.there"; // race A
	return unused;
}

int main(void)
{
	int fd = open("result.new", O_CREAT | O_WRONLY | O_TRUNC, 0666);

	if (fd < 0 || write(fd, "done\n", 5) != 5 || close(fd))
		return 1;
	together(here, there);
	return rename("result.new", place) != 0; // output A
}
