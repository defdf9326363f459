// flags: -pthread
// race: none

/* Figure 1 with its first two lines swapped: it no longer matters which thread has the lock first. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z, seen;

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	seen = y;
	pthread_mutex_unlock(&lock);
	if (x == 1)
		z = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_mutex_lock(&lock);
	pthread_create(&thread, NULL, second, NULL);
	x = 1;
	y = 1;
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	if (z == 0)
		puts("error");
	return seen > 1;
}
