/*
 * Event loops that turn while another thread handles a request, like those of redis-benchmark: they never block. A thread
 * that is held back "until nobody else can run" would never run.
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { LOOPS = 6, REQUESTS = 100, SIZE = 64 };

static atomic_int issued, finished;

static void *loop(void *unused)
{
	int ends[2];
	char *text = malloc(SIZE), c = 'x';

	if (pipe(ends))
		abort();
	/* A pipe that has room is always ready. */
	struct pollfd p = {.fd = ends[1], .events = POLLOUT};
	while (atomic_load(&finished) < REQUESTS) {
		poll(&p, 1, 10);
		if (atomic_fetch_add(&issued, 1) >= REQUESTS)
			continue;
		for (int i = 0; i < SIZE; i++)
			text[i] = (char)(i ? text[i - 1] + 1 : c);
		if (write(ends[1], text, 1) != 1 || read(ends[0], &c, 1) != 1)
			abort();
		atomic_fetch_add(&finished, 1);
	}
	free(text);
	return unused;
}

int main(void)
{
	pthread_t threads[LOOPS];

	for (int i = 0; i < LOOPS; i++)
		pthread_create(&threads[i], NULL, loop, NULL);
	for (int i = 0; i < LOOPS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
