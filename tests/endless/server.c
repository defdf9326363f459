/*
 * A server that never ends: a thread accepts connections, workers answer them.  The workers count their answers without
 * a lock, and the request "free" makes them free a block that another worker may read.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WORKERS 2

struct setting {
	int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER;
static int waiting[64], first, last;
static long answered;
static struct setting *setting;

static int take(void)
{
	pthread_mutex_lock(&lock);
	while (first == last)
		pthread_cond_wait(&come, &lock);
	int fd = waiting[first++ % 64];
	pthread_mutex_unlock(&lock);
	return fd;
}

static void answer(int fd)
{
	char line[64] = "", out[80];
	ssize_t n = read(fd, line, sizeof line - 1);

	if (n > 0 && !strncmp(line, "set", 3)) {
		struct setting *old = setting, *new = malloc(sizeof *new);
		new->size = old->size + 1;
		setting = new;
		free(old);
	}
	int length = snprintf(out, sizeof out, "%d %s", setting->size > 0, line);
	if (write(fd, out, (size_t)length) != length)
		perror("write");
	close(fd);
	answered++;
}

static void *work(void *arg)
{
	for (;;)
		answer(take());
	return arg;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	int server = socket(AF_INET, SOCK_STREAM, 0);
	pthread_t threads[WORKERS];

	setting = calloc(1, sizeof *setting);
	setting->size = 1;
	if (argc != 2 || bind(server, (struct sockaddr *)&at, size) || listen(server, 16) ||
	    getsockname(server, (struct sockaddr *)&at, &size))
		return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	FILE *port = fopen(argv[1], "w");
	fprintf(port, "%d\n", ntohs(at.sin_port));
	fclose(port);
	for (;;) {
		int fd = accept(server, NULL, NULL);
		pthread_mutex_lock(&lock);
		waiting[last++ % 64] = fd;
		pthread_cond_signal(&come);
		pthread_mutex_unlock(&lock);
	}
}
