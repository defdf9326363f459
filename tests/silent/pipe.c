// flags: -pthread

/* A buffer passes to another thread through a pipe: the write is ordered before the read that gets it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../races/threads.h"

static int ends[2];

static void *send(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		char *buffer = malloc(16);
		memset(buffer, i, 16);
		if (write(ends[1], &buffer, sizeof buffer) != sizeof buffer)
			abort();
	}
	return unused;
}

static void *receive(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		char *buffer;
		if (read(ends[0], &buffer, sizeof buffer) != sizeof buffer || buffer[15] != i)
			abort();
		buffer[0] = 0;
		free(buffer);
	}
	return unused;
}

int main(void)
{
	if (pipe(ends))
		return 1;
	together(send, receive);
	return 0;
}
