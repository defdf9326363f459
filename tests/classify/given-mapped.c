// flags: -pthread
// race A: verdict=output-differs stream=state

/* Both threads write to a mapped file; it stays mapped to the end. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../races/threads.h"

static char *state;

static void *idle(void *unused)
{
	state[100] = 'i'; // race A
	return unused;
}

static void *busy(void *unused)
{
	state[100] = 'b'; // race A
	return unused;
}

int main(void)
{
	int fd = open("state", O_CREAT | O_RDWR | O_TRUNC, 0666);

	if (fd < 0 || ftruncate(fd, 4096))
		return 1;
	state = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (state == MAP_FAILED)
		return 1;
	together(idle, busy);
	return close(fd);
}
