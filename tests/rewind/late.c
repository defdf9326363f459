// flags: -pthread
/* Some executions never end, in code where Omen cannot see that. */
#include <pthread.h>
#include <stdio.h>

static int x, y, a, b;

static void *first(void *arg)
{
	x = 1;
	a = y;
	return arg;
}

static void *second(void *arg)
{
	y = 1;
	b = x;
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d %d\n", a, b);
	if (a && b)
		__asm__ volatile("1: pause\n\tjmp 1b");
	return 0;
}
