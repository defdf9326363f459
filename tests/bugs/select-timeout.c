// expect: assertion
// at: main
// strategy: mixed random pct:3
// flags: -pthread

/* select() used as a sleep: the other thread need not have finished by then. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/select.h>

static atomic_int counted;

static void *counter(void *unused)
{
	for (int i = 0; i < 20; i++)
		atomic_fetch_add(&counted, 1);
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, counter, NULL);
	select(0, NULL, NULL, NULL, &(struct timeval){.tv_usec = 50000});
	assert(atomic_load(&counted) == 20); /* HERE */
	pthread_join(thread, NULL);
	return 0;
}
