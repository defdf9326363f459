// flags: -pthread
// varies: in which order two writers come to the file
// race A: verdict=k-witness-harmless pattern=approximate-counter

/*
 * A record takes long to prepare, and a thread that finds the other one faster has to wait and begin again: so the other
 * order of the race makes a writer fall behind, as a slow processor would.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

enum { RECORDS = 6, PARTS = 60 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, heap = PTHREAD_MUTEX_INITIALIZER;
static int version, parts, fd;

static void prepare(void)
{
	for (int i = 0; i < PARTS; i++) {
		pthread_mutex_lock(&heap);
		parts++;
		pthread_mutex_unlock(&heap);
	}
}

static void append(long which, int i)
{
	char text[16];

	snprintf(text, sizeof text, "%ld.%d;", which, i);
	if (write(fd, text, 4) != 4)
		exit(1);
	version++; // race A
}

static void *work(void *which)
{
	for (int i = 0, tries = 0; i < RECORDS;) {
		int seen = version; // race A
		prepare();
		pthread_mutex_lock(&lock);
		int fits = seen == version;
		if (fits)
			append((long)which, i++);
		pthread_mutex_unlock(&lock);
		tries = fits ? 0 : tries + 1;
		if (tries)
			usleep(1000u << (tries < 6 ? tries : 6));
	}
	return NULL;
}

int main(void)
{
	fd = open("records", O_CREAT | O_TRUNC | O_WRONLY, 0644);
	together(work, work);
	printf("%ld bytes\n", (long)lseek(fd, 0, SEEK_CUR));
	return close(fd);
}
