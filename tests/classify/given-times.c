// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write

/* Every line of a log has its time, to the nanosecond; apart from that it is always the same. */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static int started, log_fd;

static void say(const char *what)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	dprintf(log_fd, "[%ld.%09ld] %s\n", (long)now.tv_sec, now.tv_nsec, what);
}

static void *work(void *unused)
{
	started = 1; // race A
	say("a worker is there");
	return unused;
}

int main(void)
{
	log_fd = open("log", O_CREAT | O_WRONLY | O_APPEND | O_TRUNC, 0666);
	say("begin");
	together(work, work);
	say("end");
	return !started;
}
