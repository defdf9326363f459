// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=both-values-valid
// race C: verdict=k-witness-harmless pattern=redundant-write

/*
 * The time of last use of a cache entry is stored without a lock: another entry than the oldest one may be evicted, and
 * is computed again. Every answer is the square of its key all the same. Time stands still, so all store the same (C).
 */
#include <stdio.h>

#include "../races/threads.h"

#define ENTRIES 2

struct entry {
	int key, value, used;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry cache[ENTRIES] = {{1, 1, 0}, {2, 4, 1}};
static volatile int now = 2;
static int sum[2];

static int square(int key)
{
	struct entry *e = cache;
	int value;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < ENTRIES && e->key != key; i++)
		e = cache[i].key == key || cache[i].used < e->used ? &cache[i] : e; // race A
	if (e->key != key)
		*e = (struct entry){key, key * key, 0}; // race B
	value = e->value;
	pthread_mutex_unlock(&lock);
	e->used = now; // race A B C
	return value;
}

static void *ask(void *n)
{
	for (int i = 1; i <= 3; i++)
		sum[(long)n] += square(i);
	return NULL;
}

int main(void)
{
	together(ask, ask);
	printf("%d %d\n", sum[0], sum[1]);
	return 0;
}
