// outcomes: exit 5 | exit 8 | exit 11
// A thread that finds the flag set takes another path; the lock decides the rest.
#include <pthread.h>
#include <stdio.h>

static int flag, n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	if (flag)
		return arg;
	pthread_mutex_lock(&m);
	n = n * 2 + 1;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	flag = 1;
	pthread_mutex_lock(&m);
	n = n * 3 + 5;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	printf("%d\n", n);
	return 0;
}
