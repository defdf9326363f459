// flags: -pthread
// varies: in which order two writers come to the file
// race A: verdict=k-witness-harmless pattern=approximate-counter

/* A thread that finds the other one faster yields and tests again: that changes the order of the records, and is correct. */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

enum { RECORDS = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int version, fd;

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
	for (int i = 0; i < RECORDS;) {
		int seen = version; // race A
		pthread_mutex_lock(&lock);
		if (seen == version)
			append((long)which, i++);
		pthread_mutex_unlock(&lock);
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
