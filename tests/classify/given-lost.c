// flags: -pthread
// varies: in which order the records come to the file
// race A: verdict=output-differs stream=records

/* The schedule decides the order of the records, from the first to the last; but each writer must have its end record. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

enum { RECORDS = 12, SIZE = 4, PARTS = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, heap = PTHREAD_MUTEX_INITIALIZER;
static int writers, parts, fd;

static void append(const char *text)
{
	if (write(fd, text, SIZE) != SIZE) // output A
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
	char text[16];

	writers++; // race A
	for (int i = 0; i < RECORDS; i++) {
		prepare();
		snprintf(text, sizeof text, "%ld%02d;", (long)which, i);
		pthread_mutex_lock(&lock);
		append(text);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	fd = open("records", O_CREAT | O_TRUNC | O_WRONLY, 0644);
	together(work, work);
	for (int i = 0; i < writers; i++)
		append("end;");
	return close(fd);
}
