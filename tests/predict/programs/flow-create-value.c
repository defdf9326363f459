// flags: -pthread
// race: none

/* A thread passes the value that it read to the thread that it creates, which branches on it. */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

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

static void *use(void *is_ready)
{
	if (is_ready)
		x = 2;
	return NULL;
}

int main(void)
{
	pthread_t maker, user;
	long is_ready;

	pthread_create(&maker, NULL, make, NULL);
	usleep(1000);
	pthread_mutex_lock(&lock);
	is_ready = ready;
	pthread_mutex_unlock(&lock);
	pthread_create(&user, NULL, use, (void *)is_ready);
	pthread_join(maker, NULL);
	pthread_join(user, NULL);
	return x > 2;
}
