/* The waiter tests the flag without the lock: the broadcast can come in between, when nobody waits yet. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
	if (!ready) {
		pthread_mutex_lock(&m);
		pthread_cond_wait(&c, &m); /* waits */
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *setter(void *arg)
{
	ready = 1; /* set */
	pthread_mutex_lock(&m);
	pthread_cond_broadcast(&c); /* broadcast */
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	void *(*const start[])(void *) = {setter, waiter, waiter};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, start[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL); /* join */
	puts("done");
	return 0;
}
