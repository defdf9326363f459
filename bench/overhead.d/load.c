/*
 * load PORTFILE CONNECTIONS REQUESTS TIMEFILE: asks a memcached on loopback, one request at a time on each connection,
 * and ends it.  PORTFILE is what the server writes at MEMCACHED_PORT_FILENAME.  One request in five is a set, the
 * others are gets; a connection has keys of its own and every value is checked, so what is printed is the same each
 * time.  The seconds from the first request to the last answer go to TIMEFILE.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CONNECTIONS = 64, KEYS = 2000, MAX_VALUE = 1000, BUFFER = 2048, START_SECONDS = 60, ANSWER_SECONDS = 60 };

struct connection {
	int fd;
	unsigned id, key;
	long left; /* requests, the one under way included */
	uint64_t random;
	bool is_set;
	bool known[KEYS];
	unsigned version[KEYS]; /* sets so far: the value depends on it */
	char answer[BUFFER], expected[BUFFER];
	size_t have, want;
};

static long hits, misses, sets;

static void die(const char *what)
{
	fprintf(stderr, "load: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static unsigned draw(struct connection *c, unsigned below)
{
	c->random = c->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((c->random >> 32) * below >> 32);
}

/* The data block of a key, its line end included. */
static int value(const struct connection *c, char *to)
{
	unsigned length = 10 + (c->key * 37 + c->version[c->key] * 101) % (MAX_VALUE - 10);

	memset(to, 'a' + (int)((c->key + c->version[c->key]) % 26), length);
	memcpy(to + length, "\r\n", 3);
	return (int)length;
}

static int read_port(const char *path)
{
	double until = now() + START_SECONDS;
	int port = 0;

	while (now() < until) {
		FILE *file = fopen(path, "r");

		if (file) {
			if (fscanf(file, "TCP INET: %d", &port) != 1)
				die("no port in the server's file");
			fclose(file);
			return port;
		}
		usleep(2000);
	}
	errno = 0;
	die("the server did not start");
	return 0;
}

static int open_connection(int port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address))
		die("connect");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	return fd;
}

static void send_all(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, text, length);

		if (n <= 0)
			die("write");
		text += n;
		length -= (size_t)n;
	}
}

static void ask(struct connection *c)
{
	char request[BUFFER], data[BUFFER];
	int length;

	c->key = draw(c, KEYS);
	c->is_set = draw(c, 5) == 0;
	c->have = 0;
	if (c->is_set) {
		c->known[c->key] = true;
		c->version[c->key]++;
		length = value(c, data);
		length = snprintf(request, sizeof request, "set k%u-%u 0 0 %d\r\n%s", c->id, c->key, length, data);
		strcpy(c->expected, "STORED\r\n");
		sets++;
	} else {
		length = snprintf(request, sizeof request, "get k%u-%u\r\n", c->id, c->key);
		if (c->known[c->key]) {
			int size = value(c, data);

			snprintf(c->expected, sizeof c->expected, "VALUE k%u-%u 0 %d\r\n%sEND\r\n", c->id, c->key, size, data);
			hits++;
		} else {
			strcpy(c->expected, "END\r\n");
			misses++;
		}
	}
	c->want = strlen(c->expected);
	send_all(c->fd, request, (size_t)length);
}

/* Takes what has arrived; true when the answer is complete. */
static bool answered(struct connection *c)
{
	ssize_t n = read(c->fd, c->answer + c->have, sizeof c->answer - c->have);

	if (n < 0)
		die("read");
	errno = 0;
	c->have += (size_t)n;
	if (n == 0 || c->have > c->want || memcmp(c->answer, c->expected, c->have) != 0) {
		fprintf(stderr, "load: connection %u, key %u: expected %.60s, got %.*s\n", c->id, c->key, c->expected,
			(int)(c->have < 60 ? c->have : 60), c->answer);
		die("a wrong answer");
	}
	return c->have == c->want;
}

int main(int argc, char **argv)
{
	static struct connection connections[MAX_CONNECTIONS];
	struct pollfd ready[MAX_CONNECTIONS];
	int count = argc == 5 ? atoi(argv[2]) : 0, open, port;
	double start, end;
	FILE *file;

	if (count < 1 || count > MAX_CONNECTIONS || atol(argv[3]) < count) {
		fprintf(stderr, "usage: load PORTFILE CONNECTIONS REQUESTS TIMEFILE (at most %d connections)\n", MAX_CONNECTIONS);
		return 2;
	}
	port = read_port(argv[1]);
	for (int i = 0; i < count; i++) {
		connections[i].fd = open_connection(port);
		connections[i].id = (unsigned)i;
		connections[i].random = (uint64_t)i + 1;
		connections[i].left = atol(argv[3]) / count;
		ready[i] = (struct pollfd){.fd = connections[i].fd, .events = POLLIN};
	}
	start = now();
	for (int i = 0; i < count; i++)
		ask(&connections[i]);
	for (open = count; open > 0;) {
		int n = poll(ready, (nfds_t)count, ANSWER_SECONDS * 1000);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			die("no answer from the server");
		for (int i = 0; i < count; i++) {
			struct connection *c = &connections[i];

			if (!ready[i].revents || !answered(c))
				continue;
			if (--c->left > 0) {
				ask(c);
			} else {
				ready[i].fd = -1;
				open--;
			}
		}
	}
	end = now();
	printf("%ld hits, %ld misses, %ld sets\n", hits, misses, sets);
	file = fopen(argv[4], "w");
	if (!file || fprintf(file, "%.6f\n", end - start) < 0 || fclose(file))
		die(argv[4]);
	send_all(connections[0].fd, "shutdown\r\n", 10);
	return 0;
}
