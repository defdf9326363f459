/* Thread functions that call no function once their callees are inlined. */
#include <pthread.h>
#include <stdio.h>

static int level = 8;

static inline __attribute__((always_inline)) void change(int by)
{
	int was = level;

	level = was + by;
}

static void *rise(void *arg)
{
	change(1);
	return arg;
}

static void *fall(void *arg)
{
	change(-2);
	return arg;
}

static void *drop(void *arg)
{
	change(-4);
	return arg;
}

int main(void)
{
	void *(*const start[])(void *) = {rise, fall, drop};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, start[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", level);
	return 0;
}
