// flags: -pthread
/* What an execution does to its process, and what the next one must not see. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

static int shared, seen[2];
static char *blocks[64], *spread[200];

static void *work(void *arg)
{
	int me = *(int *)arg;
	char *own = malloc(300000), *small = malloc(100 + me);

	memset(own, me, 300000);
	seen[me] = shared;
	shared = me + 1;
	free(small);
	return own;
}

int main(void)
{
	static int numbers[2] = {0, 1};
	pthread_t threads[2];
	int ends[2], file = open("/dev/null", O_RDONLY), event = eventfd(0, 0), poll = epoll_create1(0);
	char *map = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), letter = 'x';
	void *own[2];

	printf("%d %d %d %p %p\n", file, event, poll, (void *)map, sbrk(0));
	if (pipe(ends) || write(ends[1], &letter, 1) != 1 || read(ends[0], &letter, 1) != 1)
		return 2;
	printf("%d %d %d\n", ends[0], ends[1], dup(file));
	map[1 << 19] = 1;
	for (int i = 0; i < 64; i++)
		blocks[i] = calloc(1, 4096 << (i % 3));
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &numbers[i]);
	for (int i = 0; i < 200; i++) {
		spread[i] = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		spread[i][i % 3 * 4096] = 1;
		if (i % 4 == 0)
			munmap(spread[i] + 8192, 8192);
	}
	for (int i = 0; i < 200; i += 3)
		munmap(spread[i], 8192);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], &own[i]);
	printf("%d %d %d %p %p %d\n", shared, seen[0], seen[1], own[0], own[1], map[1 << 19]);
	munmap(map, 1 << 18);
	close(event);
	free(own[0]);
	return 0;
}
