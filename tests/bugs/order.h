/* The assertion fails only if COUNT threads run in the opposite order of their creation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int step;

static void *one(void *number)
{
	int wanted = COUNT - 1 - (int)(long)number;

	if (atomic_load(&step) == wanted)
		atomic_fetch_add(&step, 1);
	assert(atomic_load(&step) < COUNT);
	return NULL;
}

int main(void)
{
	pthread_t thread[COUNT];

	for (long i = 0; i < COUNT; i++)
		pthread_create(&thread[i], NULL, one, (void *)i);
	for (int i = 0; i < COUNT; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
