// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* The value is read without the lock and read again with it in any case: the first read decides nothing. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level = 1, sane[2];

static void *raise_level(void *unused)
{
	pthread_mutex_lock(&lock);
	level = 2; // race A
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *look(void *n)
{
	int first = level; // race A

	pthread_mutex_lock(&lock);
	sane[(long)n - 1] = level >= first;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(raise_level, look, look);
	printf("%d %d\n", sane[0], sane[1]);
	return 0;
}
