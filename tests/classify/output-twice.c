// flags: -pthread
// race A: verdict=output-differs

/* What should be made once is made twice; the first object is lost, and the program prints how many there were. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;
static int made;

static void *use(void *unused)
{
	if (!buffer) { // race A
		pthread_mutex_lock(&lock);
		buffer = malloc(100); // race A
		made++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(use, use);
	printf("%d made\n", made);
	free(buffer);
	return 0;
}
