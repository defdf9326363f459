// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write

/* Both servers of a process write the text of its pid file; it is read when they are done. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

static char text[32];

static void *serve(void *unused)
{
	snprintf(text, sizeof text, "%d\n", (int)getpid()); // race A
	return unused;
}

int main(void)
{
	together(serve, serve);
	printf("%s\n", atoi(text) == getpid() ? "mine" : "not mine");
	return 0;
}
