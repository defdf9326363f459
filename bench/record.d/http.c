/*
 * http PORT CONNECTIONS REQUESTS PATH LENGTH TIMEFILE [keep]: asks a server on loopback for PATH, so many times, on so
 * many connections at a time: a connection for each request, or with `keep` the same ones to the end.  Every answer
 * must be a 200 with LENGTH bytes of body.  The seconds from the first request to the last answer go to TIMEFILE.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, START_TRIES = 3000, ANSWER_MS = 60000 };

struct connection {
	char answer[1 << 16];
	size_t have;
};

static struct connection connections[MOST];
static struct pollfd polled[MOST];
static struct sockaddr_in address = {.sin_family = AF_INET};
static const char *path;
static size_t length;
static bool keep;
static long to_ask, answered;

static void die(const char *what)
{
	fprintf(stderr, "http: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int connected(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		die("socket");
	if (!connect(fd, (struct sockaddr *)&address, sizeof address))
		return fd;
	close(fd);
	return -1;
}

static void ask(int i)
{
	char request[600];
	int n = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: %s\r\n\r\n", path,
	                 keep ? "keep-alive" : "close");

	connections[i].have = 0;
	if (polled[i].fd < 0)
		polled[i] = (struct pollfd){.fd = connected(), .events = POLLIN};
	if (polled[i].fd < 0 || write(polled[i].fd, request, (size_t)n) != n)
		die("cannot ask");
	to_ask--;
}

static bool is_whole(const struct connection *c)
{
	const char *body = memmem(c->answer, c->have, "\r\n\r\n", 4);

	return body && c->have - (size_t)(body + 4 - c->answer) == length;
}

/* Takes what came; what follows from it. */
static void hear(int i)
{
	struct connection *c = &connections[i];
	ssize_t n = read(polled[i].fd, c->answer + c->have, sizeof c->answer - c->have);

	if (n < 0)
		die("read");
	c->have += (size_t)n;
	if (n && (!keep || !is_whole(c)))
		return;
	if (!is_whole(c) || memcmp(c->answer, "HTTP/1.1 200 ", 13)) {
		errno = 0;
		fprintf(stderr, "%.*s\n", (int)(c->have < 300 ? c->have : 300), c->answer);
		die("not the answer that was expected");
	}
	answered++;
	if (!keep || !to_ask) {
		close(polled[i].fd);
		polled[i].fd = -1;
	}
	if (to_ask)
		ask(i);
}

int main(int argc, char **argv)
{
	int count = argc > 6 ? atoi(argv[2]) : 0, first = -1;

	if (count < 1 || count > MOST || atol(argv[3]) < count) {
		fprintf(stderr, "usage: http PORT CONNECTIONS REQUESTS PATH LENGTH TIMEFILE [keep]\n");
		return 2;
	}
	address.sin_port = htons((uint16_t)atoi(argv[1]));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	long requests = to_ask = atol(argv[3]);
	path = argv[4];
	length = (size_t)atol(argv[5]);
	keep = argc > 7;
	for (int i = 0; i < START_TRIES && (first = connected()) < 0; i++)
		usleep(10000);
	if (first < 0)
		die("the server does not start");
	polled[0] = (struct pollfd){.fd = first, .events = POLLIN};
	for (int i = 1; i < count; i++)
		polled[i].fd = -1;
	double start = now();
	for (int i = 0; i < count; i++)
		ask(i);
	while (answered < requests) {
		int n = poll(polled, (nfds_t)count, ANSWER_MS);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			die("no answer");
		for (int i = 0; i < count; i++)
			if (polled[i].fd >= 0 && polled[i].revents)
				hear(i);
	}
	FILE *file = fopen(argv[6], "w");
	if (!file || fprintf(file, "%.6f\n", now() - start) < 0 || fclose(file))
		die(argv[6]);
	printf("%ld answers of %zu bytes\n", answered, length);
	return 0;
}
