// flags: -pthread
// race A: verdict=spec-violated consequence=memory-error violation=heap-overflow

/*
 * As memory-grow.c, with so many rounds that hardly any schedule shows it: the reader must come in the fiftieth of
 * sixty.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

#ifndef ROUNDS
#define ROUNDS 60
#endif

static char *text;
static int length, capacity = 49, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		length++; // race A
		pthread_mutex_lock(&lock);
		if (length > capacity) {
			capacity += 64;
			text = realloc(text, (size_t)capacity);
		}
		text[length - 1] = 'a';
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < 12; i++) {
		pthread_mutex_lock(&lock);
		int n = length; // race A
		if (n > 0)
			seen += text[n - 1] != 'z'; // violation A
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	text = calloc(1, (size_t)capacity);
	together(writer, reader);
	printf("length %d\n", length);
	free(text);
	return 0;
}
