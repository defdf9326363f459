// flags: -pthread

/* Thread-specific data; its destructor adds up under a lock, and join comes after the destructor. */
#include <stdlib.h>

#include "../races/threads.h"

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, destroyed[3];

struct mine {
	long number;
	int count;
};

static void destroy(void *value)
{
	struct mine *m = value;

	pthread_mutex_lock(&lock);
	total += m->count;
	pthread_mutex_unlock(&lock);
	destroyed[m->number] = 1;
	free(m);
}

static void *work(void *n)
{
	struct mine *m = calloc(1, sizeof *m);

	m->number = (long)n;
	pthread_setspecific(key, m);
	for (int i = 0; i < 3; i++)
		((struct mine *)pthread_getspecific(key))->count++;
	return NULL;
}

int main(void)
{
	pthread_key_create(&key, destroy);
	together(work, work, work);
	return total != 9 || destroyed[0] + destroyed[1] + destroyed[2] != 3;
}
