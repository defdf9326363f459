// flags: -pthread
// race A: verdict=output-differs

/* A line is written to the terminal while another thread changes it. */
#include <string.h>
#include <unistd.h>

#include "../races/threads.h"

static char line[] = "0 percent\n";

static void *work(void *unused)
{
	for (int i = 1; i < 3; i++)
		line[0] = (char)('0' + i); // race A
	return unused;
}

static void *show(void *unused)
{
	return write(1, line, strlen(line)) > 0 ? unused : NULL; // race A
}

int main(void)
{
	together(work, show);
	return 0;
}
