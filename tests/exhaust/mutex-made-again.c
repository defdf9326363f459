// outcomes: exit 0 | exit 1 | lock-misuse
// A write to a mutex's memory can be reordered with a lock of it like any other access, also while it is held.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int made;

static void *maker(void *arg)
{
	pthread_mutex_init(&m, NULL);
	made = 1;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, maker, NULL);
	int seen = made;
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	printf("%d\n", seen);
	return 0;
}
