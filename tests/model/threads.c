/*
 * threads PORT SEED: four threads that work on files, pipes, counters, connections among each other and to a peer
 * outside, each with its own names and bytes, in an order that the schedule decides.  What a thread gets does not
 * depend on that order: a wrong answer fails an assertion.
 */
// flags: -D_GNU_SOURCE -pthread
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS  12

static int port, listener, own_port;

struct worker {
	pthread_t thread;
	uint32_t rng, me, done[6];
};

static uint32_t any(struct worker *w, uint32_t below)
{
	w->rng = w->rng * 1664525 + 1013904223;
	return (w->rng >> 8) % below;
}

static void files(struct worker *w)
{
	char name[64], other[64], text[4096], back[4096];
	size_t n = 1 + any(w, sizeof text);
	struct stat st;

	snprintf(name, sizeof name, "t%u", w->me);
	snprintf(other, sizeof other, "d%u/moved", w->me);
	memset(text, 'a' + (int)w->me, sizeof text);
	char dir[16];
	snprintf(dir, sizeof dir, "d%u", w->me);
	assert(!mkdir(dir, 0755));
	int f = open(name, O_RDWR | O_CREAT | O_EXCL, 0644);
	assert(f >= 0 && write(f, text, n) == (ssize_t)n && pread(f, back, n, 0) == (ssize_t)n &&
	       !memcmp(text, back, n));
	char *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
	assert(m != MAP_FAILED && m[0] == text[0]);
	m[0] = 'M';
	assert(pread(f, back, 1, 0) == 1 && back[0] == 'M');
	assert(!munmap(m, 4096) && !rename(name, other) && stat(name, &st) && !stat(other, &st) &&
	       st.st_size == (off_t)n);
	assert(rmdir(dir) && errno == ENOTEMPTY);
	assert(!close(f) && !unlink(other) && !rmdir(dir));
}

static void channels(struct worker *w)
{
	int p[2], e = epoll_create1(0), c = eventfd(0, 0);
	char text[3000], back[3000];
	size_t n = 1 + any(w, sizeof text), got = 0;
	struct epoll_event ev = {.events = EPOLLIN | (any(w, 2) ? EPOLLET : 0)};
	uint64_t one = 1 + w->me, count;

	memset(text, (int)w->me, sizeof text);
	assert(e >= 0 && c >= 0 && !(any(w, 2) ? pipe(p) : socketpair(AF_UNIX, SOCK_STREAM, 0, p)));
	assert(!epoll_ctl(e, EPOLL_CTL_ADD, p[0], &ev) && !epoll_wait(e, &ev, 1, 0));
	assert(write(p[1], text, n) == (ssize_t)n && epoll_wait(e, &ev, 1, -1) == 1);
	while (got < n) {
		ssize_t r = read(p[0], back + got, 1 + any(w, (uint32_t)(n - got)));
		assert(r > 0);
		got += (size_t)r;
	}
	assert(!memcmp(text, back, n));
	assert(write(c, &one, 8) == 8 && read(c, &count, 8) == 8 && count == one);
	close(p[1]);
	assert(read(p[0], back, 1) == 0);
	close(p[0]);
	close(e);
	close(c);
}

static int connected(int to)
{
	struct sockaddr_in a = {
	        .sin_family = AF_INET, .sin_port = htons((uint16_t)to), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_STREAM, 0);

	if (!connect(s, (void *)&a, sizeof a))
		return s;
	close(s);
	return -1;
}

/* Accepts a connection, which may belong to another thread: its first byte says whose it is. */
static void inside(struct worker *w)
{
	char byte = 'A', back;
	int s = connected(own_port), c;

	assert(s >= 0 && write(s, &byte, 1) == 1);
	c = accept(listener, NULL, NULL);
	assert(c >= 0 && read(c, &back, 1) == 1 && back == 'A' && write(c, "B", 1) == 1);
	close(c);
	assert(read(s, &back, 1) == 1 && back == 'B');
	close(s);
	(void)w;
}

static void outside(struct worker *w)
{
	char text[64];
	int s = connected(port);
	struct pollfd p = {.fd = s, .events = POLLIN};

	if (s < 0)
		return;
	assert(write(s, "ping", 4) == 4);
	ssize_t n = poll(&p, 1, 5000) == 1 ? read(s, text, sizeof text) : 0;
	if (n > 0)
		assert(n >= 5 && !memcmp(text, "pong", 4));
	close(s);
	(void)w;
}

static void appended(struct worker *w)
{
	char c = (char)('0' + w->me);
	int f = open("common", O_WRONLY | O_APPEND);

	assert(f >= 0 && write(f, &c, 1) == 1 && !close(f));
}

static void *work(void *arg)
{
	static void (*const what[])(struct worker *) = {files, channels, inside, outside, appended};
	struct worker *w = arg;

	for (int i = 0; i < ROUNDS; i++) {
		uint32_t k = any(w, i < ROUNDS - 2 ? 3 : 5);
		what[k](w);
		w->done[k]++;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof a;
	struct worker w[THREADS] = {0};
	struct stat st;

	port = argc > 1 ? atoi(argv[1]) : 1;
	listener = socket(AF_INET, SOCK_STREAM, 0);
	assert(!bind(listener, (void *)&a, sizeof a) && !listen(listener, 16));
	assert(!getsockname(listener, (void *)&a, &size));
	own_port = ntohs(a.sin_port);
	assert(!stat("common", &st));
	off_t before = st.st_size;
	for (uint32_t i = 0; i < THREADS; i++) {
		w[i].me = i;
		w[i].rng = (uint32_t)(argc > 2 ? atoi(argv[2]) : 1) * 977 + i;
		pthread_create(&w[i].thread, NULL, work, &w[i]);
	}
	uint32_t more = 0, out = 0;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		more += w[i].done[4];
		out += w[i].done[3];
	}
	assert(!stat("common", &st) && st.st_size == before + more);
	printf("%u appended, %u connected\n", more, out);
	return 0;
}
