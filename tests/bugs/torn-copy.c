// flags: -pthread
// expect: assertion
/* A structure is copied word by word: all of one copy can happen in the middle of another. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct range {
	long from, to;
};

static struct range shared, taken;

static void *set(void *unused)
{
	static const struct range wide = {1, 1};

	shared = wide;
	return unused;
}

static void *get(void *unused)
{
	taken = shared;
	assert(taken.from == taken.to);
	return unused;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, set, NULL);
	pthread_create(&thread[1], NULL, get, NULL);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
