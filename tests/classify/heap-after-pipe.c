// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* The first point is a system call, and the block is allocated after it: it must have one address in all executions. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2], *block;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
	block[0] = 0; // race A
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *two(void *unused)
{
	pthread_mutex_lock(&lock);
	block[0] = 2; // race A
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	if (pipe(ends))
		return 1;
	block = malloc(16);
	block[0] = 1;
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(block);
	return 0;
}
