// outcomes: exit first | exit second
// The program ends while it holds the lock that another thread waits for: that thread could have taken it first.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *second(void *arg)
{
	pthread_mutex_lock(&m);
	puts("second");
	exit(0);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, second, NULL);
	pthread_mutex_lock(&m);
	puts("first");
	return 0;
}
