// flags: -pthread

/* When main fails, threads wait in the middle of calls, each with its own variables. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all;
static __thread int depth;
static __thread struct {
	char name[8];
	long numbers[4];
} own;

static int descend(int level, int number)
{
	static __thread int calls;
	int below = level * 1000 + number;

	calls += number;
	if (level)
		return descend(level - 1, number) + below; /* CALL */
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&never, &lock); /* WAIT */
	return below;
}

static void *work(void *arg)
{
	int number = *(int *)arg;
	volatile int doubled = 2 * number;

	depth = 100 * number;
	snprintf(own.name, sizeof own.name, "no %d", number);
	own.numbers[3] = -number;
	pthread_barrier_wait(&all);
	return descend(3, number) + doubled ? NULL : arg; /* DESCEND */
}

int main(void)
{
	static int numbers[] = {1, 2, 3};
	pthread_t thread[3];

	pthread_barrier_init(&all, NULL, 4);
	depth = 7;
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work, &numbers[i]);
	pthread_barrier_wait(&all);
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock); /* TURN */
		pthread_mutex_unlock(&lock);
	}
	assert(!depth); /* HERE */
	return 0;
}
