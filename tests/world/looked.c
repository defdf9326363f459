/*
 * A file is mapped shared, and the program runs so long that it may look endless. Whether the tool can check that depends
 * on the mapping, which a replay does not have. The rounds of loops, and with them the time, are the
 * same.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SYNCS  30000
#define ROUNDS 40
#define LOOPS  7000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sum;

static void *work(void *arg)
{
	const unsigned char *bytes = arg;

	for (int i = 0; i < SYNCS; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	for (int i = 0; i < ROUNDS; i++) {
		unsigned here = 0;
		for (int k = 0; k < LOOPS; k++)
			here = here * 31 + bytes[k % 100];
		pthread_mutex_lock(&lock);
		sum += here;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	struct timespec now;
	pthread_t threads[2];
	char text[100], path[] = "mapped-XXXXXX";
	int fd = mkstemp(path);

	memset(text, 'm', sizeof text);
	if (fd < 0 || write(fd, text, sizeof text) != sizeof text)
		return 1;
	void *bytes = mmap(NULL, sizeof text, PROT_READ, MAP_SHARED, fd, 0);
	unlink(path);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, bytes);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%u at %ld\n", sum, (long)now.tv_nsec);
	return 0;
}
