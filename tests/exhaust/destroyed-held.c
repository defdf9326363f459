// outcomes: exit 1 | lock-misuse
// A mutex is destroyed, with a point before the call: whether it is held matters after that point, not before it.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *user(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_mutex_destroy(&m);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, user, NULL);
	if (!pthread_mutex_lock(&m)) {
		value++;
		pthread_mutex_unlock(&m);
	} else {
		value = 1;
	}
	pthread_join(t, NULL);
	printf("%d\n", value);
	return 0;
}
