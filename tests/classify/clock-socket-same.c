// flags: -pthread
// varies: how long it takes
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* An answer contains a time and a CPU time; the program reads what a ticking thread writes racily, but does not print it. */
#include <netinet/in.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static volatile int ticks;
static int client;

static void *tick(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		usleep(1000);
		ticks = i; // race A
	}
	return unused;
}

static void *answer(void *unused)
{
	for (int i = 0; i < 2; i++) {
		struct rusage used;
		char text[100];
		usleep(1000);
		int now = ticks; // race A
		getrusage(RUSAGE_SELF, &used);
		int n = snprintf(text, sizeof text, "time %ld used %ld.%06ld %s\r\n", (long)time(NULL),
				 (long)used.ru_utime.tv_sec, (long)used.ru_utime.tv_usec, now < 9 ? "early" : "late");
		if (send(client, text, (size_t)n, 0) != n)
			return NULL;
	}
	return unused;
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	client = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (void *)&address, size) || listen(listener, 1) ||
	    getsockname(listener, (void *)&address, &size) || connect(client, (void *)&address, size))
		return 1;
	int server = accept(listener, NULL, NULL);
	together(tick, answer);
	return close(client) || close(server);
}
