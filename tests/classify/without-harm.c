// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write

/* What if every thread marked the table dirty without the lock? All write the same value. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool dirty;
static int rows;

static void *insert(void *unused)
{
	pthread_mutex_lock(&lock);
	rows++;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);   // without
	dirty = true;                // race A
	pthread_mutex_unlock(&lock); // without unlock
	return unused;
}

int main(void)
{
	together(insert, insert);
	printf("%d rows%s\n", rows, dirty ? ", to be written" : "");
	return 0;
}
