// flags: -pthread
// race A: verdict=output-differs stream=usage

/* What a server prints about itself: the time it took, its id, and a count, one number on a line. */
#include <stdio.h>
#include <sys/resource.h>
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
	FILE *file = fopen("usage", "w");
	struct rusage used;

	together(serve, serve);
	getrusage(RUSAGE_SELF, &used);
	fprintf(file, "%ld\n%ld\n%d\n", (long)used.ru_utime.tv_usec, (long)getpid(), served); // output A
	return fclose(file);
}
