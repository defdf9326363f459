// flags: -pthread

/* The last unlock of a recursive mutex releases it, not the first. */
#define _GNU_SOURCE
#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int counter;

static void add(void)
{
	pthread_mutex_lock(&lock);
	counter++;
	pthread_mutex_unlock(&lock);
}

static void *count(void *unused)
{
	pthread_mutex_lock(&lock);
	add();
	counter++;
	add();
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(count, count);
	return counter != 6;
}
