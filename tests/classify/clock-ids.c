// flags: -pthread
// varies: which thread gets which id
// race A: verdict=k-witness-harmless pattern=redundant-write

/* Threads print their ids; the order of creation decides which thread gets which. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static int begun;

static void *work(void *which)
{
	printf("[%d:%d] %s\n", (int)getpid(), (int)gettid(), (const char *)which);
	return NULL;
}

static void *left(void *unused)
{
	pthread_t own;

	begun = 1; // race A
	pthread_create(&own, NULL, work, "left");
	pthread_join(own, NULL);
	return unused;
}

static void *right(void *unused)
{
	pthread_t own;

	begun = 1; // race A
	pthread_create(&own, NULL, work, "right");
	pthread_join(own, NULL);
	return unused;
}

int main(void)
{
	together(left, right);
	return !begun;
}
