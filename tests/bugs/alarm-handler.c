// expect: assertion
// at: on_alarm
// strategy: mixed random pct:3
// flags: -pthread

/* The alarm arrives during the work, not after it. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int half, come;

static void on_alarm(int unused)
{
	(void)unused;
	assert(atomic_load(&half) == 0); /* HERE */
	atomic_store(&come, 1);
}

static void *work(void *unused)
{
	for (int i = 0; i < 10; i++) {
		atomic_store(&half, 1);
		atomic_store(&half, 0);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;

	signal(SIGALRM, on_alarm);
	alarm(1);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	while (!atomic_load(&come))
		usleep(100000);
	return 0;
}
