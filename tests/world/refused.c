// slowly: yes
/*
 * Nonblocking output to a pipe that nobody empties for a while: some writes are refused, some are cut short. A replay
 * prints what was written, once.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define LINES 60
#define SIZE  6000 /* more than a pipe takes at once or not at all */

static int refused, cut;

/* A line of one letter, every second time in two pieces. */
static ssize_t put(char *line, size_t size, int i)
{
	struct iovec pieces[2] = {{line, size / 3}, {line + size / 3, size - size / 3}};

	return i % 2 ? writev(1, pieces, 2) : write(1, line, size);
}

static void *print(void *unused)
{
	static char line[SIZE];

	for (int i = 0; i < LINES; i++) {
		memset(line, 'a' + i % 26, SIZE - 1);
		line[SIZE - 1] = '\n';
		for (size_t done = 0; done < SIZE;) {
			ssize_t n = put(line + done, SIZE - done, i);
			if (n < 0) {
				struct pollfd room = {.fd = 1, .events = POLLOUT};
				refused++;
				poll(&room, 1, -1);
				continue;
			}
			cut += (size_t)n < SIZE - done;
			done += (size_t)n;
		}
	}
	return unused;
}

int main(void)
{
	pthread_t thread;

	fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
	pthread_create(&thread, NULL, print, NULL);
	pthread_join(thread, NULL);
	fprintf(stderr, "refused %d, cut %d\n", refused, cut);
	return !refused || !cut;
}
