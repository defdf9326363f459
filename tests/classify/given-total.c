// flags: -pthread
// race A: verdict=output-differs stream=journal

/* The schedule decides the order of the lines in the file, but not that the last line has the right sum. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

enum { LINES = 4, PARTS = 60 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, heap = PTHREAD_MUTEX_INITIALIZER;
static int total, parts, fd;

static void put(const char *text, int size)
{
	if (write(fd, text, (size_t)size) != size) // output A
		exit(1);
}

static void prepare(void)
{
	for (int i = 0; i < PARTS; i++) {
		pthread_mutex_lock(&heap);
		parts++;
		pthread_mutex_unlock(&heap);
	}
}

static void *work(void *which)
{
	char text[32];

	for (int i = 0; i < LINES; i++) {
		int size = snprintf(text, sizeof text, "writer %ld: %d\n", (long)which, i);
		prepare();
		total += size; // race A
		pthread_mutex_lock(&lock);
		put(text, size);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	char text[32];

	fd = open("journal", O_CREAT | O_TRUNC | O_WRONLY, 0644);
	together(work, work);
	put(text, snprintf(text, sizeof text, "%d in all\n", total));
	return close(fd);
}
