// flags: -pthread
// 1: lock-order-inversion a b
// judged 1: an execution deadlocks there
// 2: lock-order-inversion a b
// judged 2: an execution deadlocks there
// 3: lock-order-inversion a b
// judged 3: none of all [0-9]+ interleavings of this input deadlocks there
// 4: lock-order-inversion a b
// judged 4: none of [0-9]+ executions has deadlocked there

/* Orders of locks: some executions deadlock, or other synchronisation keeps the threads apart. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t turn;
static int which, rounds = 1, sum;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	sum++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *one(void *arg)
{
	for (int i = 0; i < rounds; i++)
		take(&a, &b);
	if (which > 2)
		sem_post(&turn);
	return arg;
}

static void *other(void *arg)
{
	if (which > 2)
		sem_wait(&turn);
	for (int i = 0; i < rounds; i++)
		take(&b, &a);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	which = argc > 1 ? atoi(argv[1]) : 0;
	rounds = which % 2 ? 1 : 200;
	sem_init(&turn, 0, 0);
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return sum != 2 * rounds;
}
