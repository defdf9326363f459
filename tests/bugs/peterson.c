// expect: assertion
// at: critical
// strategy: mixed random pct:3
// flags: -pthread

/* Peterson's algorithm with its two stores swapped: a thread gives the turn away before it announces its wish. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2], turn, inside;

static void lock(int me)
{
	atomic_store(&turn, 1 - me);
	atomic_store(&wants[me], 1);
	while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me)
		;
}

static void unlock(int me)
{
	atomic_store(&wants[me], 0);
}

static void critical(void)
{
	int others = atomic_fetch_add(&inside, 1);

	assert(others == 0); /* HERE */
	atomic_fetch_sub(&inside, 1);
}

static void *thread(void *number)
{
	int me = (int)(long)number;

	for (int round = 0; round < 4; round++) {
		lock(me);
		critical();
		unlock(me);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, thread, (void *)0);
	pthread_create(&b, NULL, thread, (void *)1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("never two inside");
	return 0;
}
