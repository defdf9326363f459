// flags: -pthread

/*
 * Time may pass while threads run, but never backwards, and no wait ends early: neither a sleep nor a time limit.
 * A long alarm without a handler is a guard that never fires in a short run.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000l

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t empty;
static long latest;
static atomic_int sleepers = 3;

static long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static struct timespec after(long start, long wait)
{
	return (struct timespec){(start + wait) / SECOND, (start + wait) % SECOND};
}

static void look(void)
{
	pthread_mutex_lock(&lock);
	long time = now(CLOCK_MONOTONIC);
	assert(time > latest);
	latest = time;
	pthread_mutex_unlock(&lock);
}

static void *sleeper(void *unused)
{
	for (long wait = 1000; wait <= 100000000; wait *= 10) {
		long start = now(CLOCK_MONOTONIC);
		struct timespec t = {.tv_nsec = wait};
		int left = nanosleep(&t, NULL);
		assert(!left && now(CLOCK_MONOTONIC) - start >= wait);
		look();
	}
	atomic_fetch_sub(&sleepers, 1);
	return unused;
}

static void *limited(void *unused)
{
	for (long wait = 1000; wait <= 10000000; wait *= 100) {
		long start = now(CLOCK_REALTIME);
		struct timespec limit = after(start, wait);
		int result = sem_timedwait(&empty, &limit);
		assert(result && errno == ETIMEDOUT && now(CLOCK_REALTIME) - start >= wait);
		start = now(CLOCK_REALTIME);
		limit = after(start, wait);
		pthread_mutex_lock(&lock);
		do
			result = pthread_cond_timedwait(&never, &lock, &limit);
		while (result != ETIMEDOUT);
		assert(now(CLOCK_REALTIME) - start >= wait);
		pthread_mutex_unlock(&lock);
		start = now(CLOCK_REALTIME);
		limit = after(start, wait);
		if (pthread_mutex_timedlock(&held, &limit))
			assert(now(CLOCK_REALTIME) - start >= wait);
		else
			pthread_mutex_unlock(&held);
		look();
	}
	atomic_fetch_sub(&sleepers, 1);
	return unused;
}

static void *holder(void *unused)
{
	while (atomic_load(&sleepers)) {
		pthread_mutex_lock(&held);
		look();
		pthread_mutex_unlock(&held);
		usleep(500);
	}
	return unused;
}

int main(void)
{
	void *(*const each[])(void *) = {holder, sleeper, sleeper, limited};
	pthread_t thread[4];

	alarm(2);
	sem_init(&empty, 0, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, each[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
