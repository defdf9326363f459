// How often each line is executed, as tests/count/check compares it: `count: N` on the line.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int hits;
static atomic_int done;
static int *slot = &hits;

static void *work(void *unused)
{
	for (int i = 0; i < 1000; i++)
		*slot += 1; // count: 6000
	atomic_fetch_add(&done, 1); // count: 2
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	work(NULL);
	printf("%d\n", hits); // count: 1
}
