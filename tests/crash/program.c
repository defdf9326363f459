/*
 * Uses everything that a recording consists of, in small steps until its input ends: a line of the input goes through a
 * TCP connection to another thread and back and is printed, while workers share a counter, write to a file and read
 * another file.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHECK(c)                                                                                                       \
	do                                                                                                             \
		if (!(c)) {                                                                                            \
			perror(#c);                                                                                    \
			exit(3);                                                                                       \
		}                                                                                                      \
	while (0)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long steps, wanted;
static bool over;
static int listener, told[2];
static atomic_int signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static void *echo(void *unused)
{
	char buffer[200];
	int fd = accept(listener, NULL, NULL);
	ssize_t n;

	CHECK(fd >= 0);
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		CHECK(write(fd, buffer, (size_t)n) == n);
	close(fd);
	return unused;
}

static void work(int number)
{
	char text[64];
	int out = open("made", O_WRONLY | O_CREAT | O_APPEND, 0666), in = open("given", O_RDONLY);

	CHECK(out >= 0 && in >= 0);
	CHECK(read(in, text, 1) == 1);
	int n = snprintf(text + 1, sizeof text - 1, "worker %d\n", number);
	CHECK(write(out, text, (size_t)n + 1) == n + 1);
	CHECK(write(told[1], text, 1) == 1);
	close(in);
	close(out);
}

static void *worker(void *number)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!over && steps >= wanted)
			pthread_cond_wait(&changed, &lock);
		if (over)
			break;
		if (++steps % 500 == 0) {
			pthread_mutex_unlock(&lock);
			work((int)(long)number);
			pthread_mutex_lock(&lock);
		}
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static int connect_to_echo(pthread_t *thread)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof here;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	listener = socket(AF_INET, SOCK_STREAM, 0);
	CHECK(!bind(listener, (struct sockaddr *)&here, size) && !listen(listener, 1));
	CHECK(!getsockname(listener, (struct sockaddr *)&here, &size));
	CHECK(!pthread_create(thread, NULL, echo, NULL));
	CHECK(!connect(fd, (struct sockaddr *)&here, size));
	return fd;
}

int main(void)
{
	pthread_t echoer, workers[2];
	char line[200], back[200];

	CHECK(!pipe(told));
	signal(SIGUSR1, on_signal);
	int fd = connect_to_echo(&echoer);
	for (long i = 0; i < 2; i++)
		CHECK(!pthread_create(&workers[i], NULL, worker, (void *)i));
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof line, stdin)) {
		size_t size = strlen(line), got = 0;
		pthread_mutex_lock(&lock);
		wanted += 1000;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		CHECK(write(fd, line, size) == (ssize_t)size);
		while (got < size) {
			ssize_t n = read(fd, back + got, size - got);
			CHECK(n > 0);
			got += (size_t)n;
		}
		CHECK(read(told[0], line, 1) == 1);
		printf("%d signals, %.*s", signals, (int)got, back);
	}
	pthread_mutex_lock(&lock);
	over = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	close(fd);
	for (int i = 0; i < 2; i++)
		pthread_join(workers[i], NULL);
	pthread_join(echoer, NULL);
	puts("end");
	return 0;
}
