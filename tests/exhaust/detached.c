// outcomes: exit 0 | exit 1 | exit 3
// Nobody joins the thread: its end does not order it before main's next accesses.
#include <pthread.h>
#include <stdio.h>

static int x, y;

static void *writer(void *arg)
{
	x = 1;
	y = 2;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	pthread_detach(t);
	int seen = y;
	printf("%d\n", seen + x);
	return 0;
}
