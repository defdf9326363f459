// race A: verdict=spec-violated consequence=assertion violation=failed-assert
// race B: verdict=spec-violated consequence=assertion violation=failed-assert
// race C: verdict=k-witness-harmless states=equal pattern=redundant-write
/*
 * A worker enters unless it sees that everything stops, and then assumes that nothing has stopped; the last one to leave
 * stops it.  If main leaves before the worker enters, the worker is inside something that has stopped: the orders of A and
 * of B both decide that.  With one worker there are few interleavings, and in all of them both may set the flag (C) alike.
 */
#include <assert.h>
#include <pthread.h>

static int stopping, stopped, inside = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void leave(void)
{
	pthread_mutex_lock(&m);
	int last = --inside == 0;
	pthread_mutex_unlock(&m);
	if (last)
		stopped = 1; // race A C
}

static void *worker(void *arg)
{
	if (stopping) // race B
		return arg;
	pthread_mutex_lock(&m);
	inside++;
	pthread_mutex_unlock(&m);
	assert(!stopped); // race A violation A B
	leave();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	stopping = 1; // race B
	leave();
	pthread_join(t, NULL);
	return 0;
}
