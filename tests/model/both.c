/* Two threads that use files, pipes, epoll and a peer outside, in the order that the schedule decides. */
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order[2], n;

static void files(int me)
{
	char name[64], other[64], text[64];
	snprintf(name, sizeof name, "made-%d", me);
	snprintf(other, sizeof other, "moved-%d", me);
	int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0644);
	assert(fd >= 0);
	assert(write(fd, "hello world", 11) == 11);
	assert(lseek(fd, 6, SEEK_SET) == 6 && read(fd, text, 64) == 5 && !memcmp(text, "world", 5));
	assert(!rename(name, other));
	struct stat st;
	assert(stat(name, &st) && !stat(other, &st) && st.st_size == 11);
	close(fd);
	fd = open(other, O_RDONLY);
	assert(fd >= 0 && read(fd, text, 64) == 11);
	close(fd);
	assert(!unlink(other) && access(other, F_OK));
	fd = open("there", O_RDWR | O_APPEND);
	assert(fd >= 0 && write(fd, me ? "B" : "A", 1) == 1);
	close(fd);
}

static void channels(void)
{
	int p[2];
	char c[8];
	assert(!pipe(p) && write(p[1], "abc", 3) == 3 && read(p[0], c, 8) == 3);
	int e = epoll_create1(0);
	struct epoll_event ev = {.events = EPOLLIN, .data.fd = p[0]};
	assert(!epoll_ctl(e, EPOLL_CTL_ADD, p[0], &ev) && epoll_wait(e, &ev, 1, 0) == 0);
	assert(write(p[1], "x", 1) == 1 && epoll_wait(e, &ev, 1, -1) == 1 && ev.data.fd == p[0]);
	close(p[0]);
	close(p[1]);
	close(e);
}

static void outside(int port)
{
	struct sockaddr_in a = {
	        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (!connect(s, (void *)&a, sizeof a)) {
		char c[64];
		assert(write(s, "ping", 4) == 4);
		long n = read(s, c, 64);
		printf("peer said %.*s\n", (int)n, c);
	} else
		puts("nobody there");
	close(s);
}

static int port;
static void *thread(void *arg)
{
	int me = arg != 0;
	pthread_mutex_lock(&lock);
	order[n++] = me;
	pthread_mutex_unlock(&lock);
	files(me);
	channels();
	outside(port);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	port = argc > 1 ? atoi(argv[1]) : 1;
	char text[64], *line = fgets(text, 64, stdin);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], 0, thread, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	int fd = open("there", O_RDONLY);
	char c[64] = "";
	long k = read(fd, c, 63);
	printf("order %d %d there %s line %s more %s", order[0], order[1], c, line,
	       fgets(text, 64, stdin) ? text : "none\n");
	return k < 0;
}
