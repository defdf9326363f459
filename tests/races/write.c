// flags: -pthread

/* write(2) reads the buffer while another thread prepares the next line in it. */
#include <unistd.h>

#include "threads.h"

static int ends[2];
static char line[16];

static void *send(void *unused)
{
	return write(ends[1], line, sizeof line) == sizeof line ? unused : NULL; // race A
}

static void *prepare(void *unused)
{
	line[15] = '\n'; // race A
	return unused;
}

int main(void)
{
	if (pipe(ends))
		return 1;
	together(send, prepare);
	return 0;
}
