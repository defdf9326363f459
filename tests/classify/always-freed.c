// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=double-free

/*
 * Both threads free the newest block if one is interrupted between the unlock and the free. The second thread sleeps
 * first, so that this is rare. always-beyond.c is the same out of bounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

struct control {
	void *buffer;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct control *control;

static void *dump(void *late)
{
	if (late)
		sleep(1);
	void *buffer = malloc(16);
	pthread_mutex_lock(&lock);
	control->buffer = buffer; // race A
	pthread_mutex_unlock(&lock);
	free(control->buffer); // race A B violation A B
	return NULL;
}

int main(void)
{
	control = malloc(sizeof *control);
	together(dump, dump);
	puts("dumped");
	return 0;
}
