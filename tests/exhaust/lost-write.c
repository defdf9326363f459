// outcomes: exit 10 | exit 4 | exit 2
// The main thread takes part: its write comes before, after, or between the two accesses of the other thread.
#include <pthread.h>
#include <stdio.h>

static int a;

static void *twice(void *arg)
{
	a = a * 2 + 2;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, twice, NULL);
	a = 4;
	pthread_join(t, NULL);
	printf("%d\n", a);
	return 0;
}
