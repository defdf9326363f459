// flags: -pthread
// race A: verdict=output-differs

/* What if the count had no lock? */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);   // without
		count++;                     // race A
		pthread_mutex_unlock(&lock); // without unlock
	}
	return unused;
}

int main(void)
{
	together(add, add);
	printf("%d\n", count);
	return 0;
}
