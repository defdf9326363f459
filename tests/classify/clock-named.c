// flags: -pthread
// race A: verdict=output-differs stream=log

/* The file has the time in its name, and a time in its first line. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static int served;

static void *serve(void *unused)
{
	served++; // race A
	return unused;
}

int main(void)
{
	char name[64];

	together(serve, serve);
	snprintf(name, sizeof name, "log-%ld-%d", (long)time(NULL), (int)getpid());
	FILE *file = fopen(name, "w");
	fprintf(file, "%ld\nserved %d\n", (long)time(NULL), served); // output A
	return fclose(file);
}
