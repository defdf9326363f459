// flags: -pthread

/* Descriptors whose numbers are reused, that threads pass on through a lock or a pipe, and that the last owner closes. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int given = -1, hand[2];

static void *own(void *unused)
{
	for (int i = 0; i < 4; i++) {
		int fd = open("/dev/null", O_WRONLY);
		if (fd < 0 || write(fd, "x", 1) != 1)
			abort();
		close(fd);
	}
	return unused;
}

static void *give(void *unused)
{
	int fd = open("/dev/null", O_WRONLY), other = open("/dev/null", O_WRONLY);

	if (write(fd, "x", 1) != 1 || write(other, "x", 1) != 1)
		abort();
	pthread_mutex_lock(&lock);
	given = fd;
	pthread_mutex_unlock(&lock);
	if (write(hand[1], &other, sizeof other) != sizeof other)
		abort();
	return unused;
}

static void *take(void *unused)
{
	int other;

	if (read(hand[0], &other, sizeof other) != sizeof other)
		abort();
	close(other);
	pthread_mutex_lock(&lock);
	if (given >= 0)
		close(given);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	if (pipe(hand))
		return 1;
	together(own, give, take, own);
	return 0;
}
