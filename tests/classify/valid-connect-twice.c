// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* A datagram socket connects twice, as in getaddrinfo: executions that leave the recording know it as one connection. */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../races/threads.h"

static int shown;

static int connect_to(int fd, int port)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return connect(fd, (struct sockaddr *)&to, sizeof to);
}

static void *ask(void *unused)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), seen;

	seen = shown; // race A
	if (connect_to(fd, 9) || connect_to(fd, 10))
		puts("no way");
	close(fd);
	return seen < 2 ? unused : NULL;
}

static void *show(void *unused)
{
	shown = 1; // race A
	return unused;
}

int main(void)
{
	together(ask, show);
	puts("asked");
	return 0;
}
