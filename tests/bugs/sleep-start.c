// expect: assertion
// at: main
// strategy: mixed random pct:3
// flags: -pthread

/* A sleep replaces synchronisation: the thread may not have started when the sleep ends. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int started;

static void *service(void *unused)
{
	atomic_store(&started, 1);
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, service, NULL);
	usleep(1000);
	assert(atomic_load(&started)); /* HERE */
	pthread_join(thread, NULL);
	return 0;
}
