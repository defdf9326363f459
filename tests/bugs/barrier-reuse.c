// expect: deadlock
// at: barrier
// strategy: mixed random pct:3
// flags: -pthread

/*
 * A barrier is used twice but counts no generations: a thread that enters again before the others have left makes
 * the count nonzero, and the others never leave.
 */
#include <pthread.h>
#include <stdio.h>

#define PARTIES 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int arrived;

static void barrier(void)
{
	pthread_mutex_lock(&lock);
	if (++arrived == PARTIES) {
		arrived = 0;
		pthread_cond_broadcast(&opened);
	}
	while (arrived != 0)
		pthread_cond_wait(&opened, &lock); /* HERE */
	pthread_mutex_unlock(&lock);
}

static void *save(void *unused)
{
	return unused;
}

static void *simple(void *unused)
{
	barrier();
	barrier();
	return unused;
}

/* Saves in the background while it waits; collecting that work usually gives the other thread time to leave. */
static void *saving(void *unused)
{
	pthread_t saver;

	pthread_create(&saver, NULL, save, NULL);
	barrier();
	pthread_join(saver, NULL);
	barrier();
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, simple, NULL);
	pthread_create(&b, NULL, saving, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("two phases done");
	return 0;
}
