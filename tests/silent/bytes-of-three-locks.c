// flags: -pthread

/*
 * Three bytes of one word, each with a lock of its own.  A thread that held all locks in turn may be the last one at a single
 * byte only, and a recording remembers no more than that: a replay must decide whether the others raced.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static _Alignas(8) char byte[8];
static atomic_int done;

static void count(int i)
{
	pthread_mutex_lock(&lock[i]);
	byte[i]++;
	pthread_mutex_unlock(&lock[i]);
}

static void *worker(void *arg)
{
	for (int i = 0; i < 3; i++)
		count(i);
	atomic_store_explicit(&done, 1, memory_order_relaxed); /* orders nothing */
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, worker, NULL);
	while (!atomic_load_explicit(&done, memory_order_relaxed))
		usleep(1000);
	for (int i = 0; i < 3; i++)
		count(i);
	pthread_join(thread, NULL);
	return byte[0] + byte[1] + byte[2] == 6 ? 0 : 1;
}
