// flags: -pthread

/* A cancelled wait on a condition runs its cleanup with the mutex held. */
#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting, cleaned;

static void clean(void *unused)
{
	(void)unused;
	waiting--;
	cleaned++;
	pthread_mutex_unlock(&lock);
}

static void *waits(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(clean, NULL);
	waiting++;
	for (;;)
		pthread_cond_wait(&never, &lock);
	pthread_cleanup_pop(1);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, waits, NULL);
	pthread_cancel(a);
	pthread_mutex_lock(&lock);
	cleaned += waiting > 2;
	pthread_mutex_unlock(&lock);
	pthread_cancel(b);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return waiting != 0 || cleaned > 2;
}
