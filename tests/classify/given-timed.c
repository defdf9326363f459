// flags: -pthread
// race A: verdict=output-differs stream=log

/* A log with times, in which a word also shows the order of two writes. */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static const char *last = "none";
static int log_fd;

static void say(const char *what)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	dprintf(log_fd, "[%ld.%09ld] %s\n", (long)now.tv_sec, now.tv_nsec, what);
}

static void *here(void *unused)
{
	last = "here"; // race A
	return unused;
}

static void *there(void *unused)
{
	last = "there"; // race A
	return unused;
}

int main(void)
{
	log_fd = open("log", O_CREAT | O_WRONLY | O_APPEND | O_TRUNC, 0666);
	say("begin");
	together(here, there);
	say(last);
	return 0;
}
