// flags: -pthread

/* Read-write locks of every kind: readers share, writers exclude, timeouts and errors are the documented ones. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "must.h"

static pthread_rwlock_t lock;
static pthread_barrier_t meet;
static atomic_int reading, writing;
static int value;

static void *reads(void *unused)
{
	for (int i = 0; i < 10; i++) {
		must(pthread_rwlock_rdlock(&lock) == 0);
		reading++;
		must(writing == 0);
		reading--;
		must(pthread_rwlock_unlock(&lock) == 0);
	}
	return unused;
}

static void *writes(void *unused)
{
	for (int i = 0; i < 10; i++) {
		must(pthread_rwlock_wrlock(&lock) == 0);
		must(writing++ == 0 && reading == 0);
		value++;
		writing--;
		must(pthread_rwlock_unlock(&lock) == 0);
	}
	return unused;
}

/* Two threads that meet at a barrier while both hold the lock prove that reading is shared. */
static void *shares(void *unused)
{
	must(pthread_rwlock_rdlock(&lock) == 0);
	pthread_barrier_wait(&meet);
	must(pthread_rwlock_trywrlock(&lock) == EBUSY);
	pthread_barrier_wait(&meet);
	must(pthread_rwlock_unlock(&lock) == 0);
	return unused;
}

static void *shut_out(void *by_writer)
{
	struct timespec past = {1, 0}, soon;

	clock_gettime(CLOCK_MONOTONIC, &soon);
	soon.tv_sec += soon.tv_nsec > 998000000;
	soon.tv_nsec = (soon.tv_nsec + 1000000) % 1000000000;
	must(pthread_rwlock_trywrlock(&lock) == EBUSY);
	must(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
	must(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
	if (by_writer) {
		must(pthread_rwlock_tryrdlock(&lock) == EBUSY);
		must(pthread_rwlock_timedrdlock(&lock, &past) == ETIMEDOUT);
		must(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
	} else {
		must(pthread_rwlock_tryrdlock(&lock) == 0);
		must(pthread_rwlock_unlock(&lock) == 0);
	}
	return NULL;
}

static void run(int n, void *(*const role[])(void *), void *argument)
{
	pthread_t thread[8];

	for (int i = 0; i < n; i++)
		must(pthread_create(&thread[i], NULL, role[i], argument) == 0);
	for (int i = 0; i < n; i++)
		must(pthread_join(thread[i], NULL) == 0);
}

int main(void)
{
	static const int kinds[] = {PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP,
	                            PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP};
	void *(*const mixed[])(void *) = {reads, writes, reads, writes};
	void *(*const sharing[])(void *) = {shares, shares};
	void *(*const out[])(void *) = {shut_out};

	pthread_barrier_init(&meet, NULL, 2);
	for (int i = 0; i < 3; i++) {
		pthread_rwlockattr_t a;

		must(pthread_rwlockattr_init(&a) == 0);
		must(pthread_rwlockattr_setkind_np(&a, kinds[i]) == 0);
		must(pthread_rwlock_init(&lock, &a) == 0);
		value = 0;
		run(4, mixed, NULL);
		must(value == 20);
		run(2, sharing, NULL);
		must(pthread_rwlock_wrlock(&lock) == 0);
		must(pthread_rwlock_wrlock(&lock) == EDEADLK);
		must(pthread_rwlock_rdlock(&lock) == EDEADLK);
		run(1, out, (void *)1);
		must(pthread_rwlock_unlock(&lock) == 0);
		must(pthread_rwlock_rdlock(&lock) == 0);
		run(1, out, NULL);
		must(pthread_rwlock_unlock(&lock) == 0);
		must(pthread_rwlock_destroy(&lock) == 0);
	}
	puts("ok");
	return 0;
}
