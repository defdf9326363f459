// expect: crash
// at: table_get
// strategy: mixed random pct:3
// flags: -pthread

/* Broken double-checked locking: the flag is set before the object exists. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int *volatile table;

static int table_get(int i)
{
	if (!atomic_load(&ready)) {
		pthread_mutex_lock(&lock);
		if (!atomic_load(&ready)) {
			atomic_store(&ready, 1);
			int *fresh = malloc(4 * sizeof *fresh);
			for (int k = 0; k < 4; k++)
				fresh[k] = k * k;
			table = fresh;
		}
		pthread_mutex_unlock(&lock);
	}
	return table[i]; /* HERE */
}

static void *user(void *index)
{
	return (void *)(long)table_get((int)(long)index);
}

int main(void)
{
	pthread_t a, b;
	void *x, *y;

	pthread_create(&a, NULL, user, (void *)2);
	pthread_create(&b, NULL, user, (void *)3);
	pthread_join(a, &x);
	pthread_join(b, &y);
	printf("%ld %ld\n", (long)x, (long)y);
	free(table);
	return 0;
}
