// flags: -pthread
// options: --blind mutex
// race A B: verdict=single-ordering

/* All values are valid, with a lock. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int colour = 1, valid;

static void *paint(void *n)
{
	pthread_mutex_lock(&lock);
	colour = 2 + (int)(long)n; // race A B
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *look(void *unused)
{
	pthread_mutex_lock(&lock);
	valid = colour >= 1 && colour <= 3; // race B
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(paint, paint, look);
	printf("%d\n", valid);
	return 0;
}
