// flags: -pthread
// race A: max

/*
 * Figure 1 of the paper. Both critical sections access y, but no branch depends on what is read there: the thread
 * could have had the lock first, and then it reads x while main writes it.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z, seen;

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	seen = y;
	pthread_mutex_unlock(&lock);
	if (x == 1) // race A
		z = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, second, NULL);
	pthread_mutex_lock(&lock);
	x = 1; // race A
	y = 1;
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	if (z == 0)
		puts("error");
	return seen > 1;
}
