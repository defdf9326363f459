/* Each thread starts the next one, LENGTH threads in all, and the last one closes what the first one still uses. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int closed;

static void *link_of(void *number)
{
	long me = (long)number;
	pthread_t next;

	if (me == LENGTH) {
		atomic_store(&closed, 1);
		return NULL;
	}
	pthread_create(&next, NULL, link_of, (void *)(me + 1));
	if (me == 1)
		assert(!atomic_load(&closed));
	pthread_join(next, NULL);
	return NULL;
}

int main(void)
{
	pthread_t first;

	pthread_create(&first, NULL, link_of, (void *)1);
	pthread_join(first, NULL);
	return 0;
}
