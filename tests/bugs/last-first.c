// expect: assertion
// at: sibling
// strategy: mixed pct:3
// flags: -pthread

/* Order violation: the program assumes that the first of ten threads is one of the first nine to arrive. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIBLINGS 10

static atomic_int arrived;

static void *sibling(void *number)
{
	int place = atomic_fetch_add(&arrived, 1);

	assert((long)number || place < SIBLINGS - 1); /* HERE */
	return NULL;
}

int main(void)
{
	pthread_t thread[SIBLINGS];

	for (long i = 0; i < SIBLINGS; i++)
		pthread_create(&thread[i], NULL, sibling, (void *)i);
	for (int i = 0; i < SIBLINGS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
