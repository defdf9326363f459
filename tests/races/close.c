// flags: -pthread

/* One thread closes a descriptor that the other still writes to. */
#include <fcntl.h>
#include <unistd.h>

#include "threads.h"

static int fd;

static void *done(void *unused)
{
	close(fd); // race A
	return unused;
}

static void *use(void *unused)
{
	return write(fd, "x", 1) < 0 ? unused : NULL; // race A
}

int main(void)
{
	fd = open("/dev/null", O_WRONLY);
	together(done, use);
	return 0;
}
