// expect: deadlock
// at: backward
// strategy: mixed random pct:3
// flags: -pthread

/* AB-BA: two functions take the same two locks in opposite order. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t accounts = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int written;

static void *forward(void *unused)
{
	pthread_mutex_lock(&accounts);
	pthread_mutex_lock(&journal);
	written++;
	pthread_mutex_unlock(&journal);
	pthread_mutex_unlock(&accounts);
	return unused;
}

static void *backward(void *unused)
{
	pthread_mutex_lock(&journal);
	pthread_mutex_lock(&accounts); /* HERE */
	written++;
	pthread_mutex_unlock(&accounts);
	pthread_mutex_unlock(&journal);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, forward, NULL);
	pthread_create(&b, NULL, backward, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d entries\n", written);
	return 0;
}
