// flags: -pthread

/* Barriers elect one serial thread a round and keep rounds apart; spin locks exclude and say EBUSY. */
#define _GNU_SOURCE
#include <pthread.h>

#include "must.h"

#define THREADS 4
#define ROUNDS 5

static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static int serial[ROUNDS], sum[ROUNDS], counter;

static void *rounds(void *unused)
{
	for (int r = 0; r < ROUNDS; r++) {
		pthread_spin_lock(&spin);
		sum[r]++;
		pthread_spin_unlock(&spin);
		int e = pthread_barrier_wait(&barrier);
		must(e == 0 || e == PTHREAD_BARRIER_SERIAL_THREAD);
		must(sum[r] == THREADS);
		if (e)
			serial[r]++;
		pthread_barrier_wait(&barrier);
		must(serial[r] == 1);
	}
	return unused;
}

static void *spins(void *unused)
{
	for (int i = 0; i < 10; i++) {
		must(pthread_spin_lock(&spin) == 0);
		int seen = counter;
		sched_yield();
		counter = seen + 1;
		must(pthread_spin_unlock(&spin) == 0);
	}
	return unused;
}

static void *is_busy(void *unused)
{
	must(pthread_spin_trylock(&spin) == EBUSY);
	return unused;
}

static void together(int n, void *(*role)(void *))
{
	pthread_t thread[THREADS];

	for (int i = 0; i < n; i++)
		must(pthread_create(&thread[i], NULL, role, NULL) == 0);
	for (int i = 0; i < n; i++)
		must(pthread_join(thread[i], NULL) == 0);
}

int main(void)
{
	pthread_barrier_t none;

	must(pthread_barrier_init(&none, NULL, 0) == EINVAL);
	must(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
	must(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
	together(THREADS, rounds);
	together(THREADS, spins);
	must(counter == THREADS * 10);
	must(pthread_spin_trylock(&spin) == 0);
	together(1, is_busy);
	must(pthread_spin_unlock(&spin) == 0);
	must(pthread_spin_destroy(&spin) == 0);
	must(pthread_barrier_destroy(&barrier) == 0);
	puts("ok");
	return 0;
}
