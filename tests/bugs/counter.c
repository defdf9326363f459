// expect: assertion
// at: main
// strategy: mixed random pct:3
// flags: -pthread

/* Lost update: a plain ++ is a read and a write, and another thread's ++ fits between the two. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *count(void *times)
{
	for (long i = 0; i < (long)times; i++)
		counter++;
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, count, (void *)3);
	pthread_create(&b, NULL, count, (void *)3);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 6); /* HERE */
	puts("6");
	return 0;
}
