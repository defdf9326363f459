// flags: -pthread
// race: none

/* A thread returns the value that it read, and its joiner branches on it. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, x;

static void *make(void *unused)
{
	x = 1;
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *look(void *unused)
{
	long is_ready;

	(void)unused;
	pthread_mutex_lock(&lock);
	is_ready = ready;
	pthread_mutex_unlock(&lock);
	return (void *)is_ready;
}

int main(void)
{
	pthread_t maker, looker;
	void *is_ready;

	pthread_create(&maker, NULL, make, NULL);
	pthread_create(&looker, NULL, look, NULL);
	pthread_join(looker, &is_ready);
	if (is_ready)
		x = 2;
	pthread_join(maker, NULL);
	return x > 2;
}
