// expect: assertion
// at: main
// strategy: mixed random pct:3
// flags: -pthread
// runs: 200

/* The usual stress test: threads work until main has slept for three seconds; then the count is wrong. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long rounds, left;

static void *worker(void *unused)
{
	while (!atomic_load(&stop)) {
		pthread_mutex_lock(&lock);
		rounds++;
		pthread_mutex_unlock(&lock);
	}
	long n = left;
	pthread_mutex_lock(&lock);
	rounds++;
	pthread_mutex_unlock(&lock);
	left = n + 1;
	return unused;
}

int main(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	sleep(3);
	atomic_store(&stop, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	assert(left == 2); /* HERE */
	return 0;
}
